import type { SkillScope } from "@knack/core";
import { type Instance, render } from "ink";
import type { ReactNode } from "react";
import type { GlobalOptions } from "../options.ts";
import { pluralize } from "../terminal/count.ts";
import { terminalPainter } from "../terminal/output.ts";
import { Screen } from "./draw/screen.tsx";
import type { Terminal } from "./draw/terminal.ts";
import { LiveSkills } from "./live-skills.ts";
import { Picker, type PickOutcome } from "./picker.ts";

export interface PickOptions extends GlobalOptions {
  /** The initial scope; all by default. */
  readonly scope?: SkillScope;
}

/** Runs the picker until the user chooses a skill or quits. */
export async function pick(
  { input, output }: Terminal,
  query: string,
  options: PickOptions,
): Promise<PickOutcome> {
  const sizeNow = (): Picker["size"] => ({ columns: output.columns || 80, rows: output.rows || 24 });
  let isDrawing = false;
  const picker: Picker = new Picker({ query, scope: options.scope, size: sizeNow() }, () => {
    // Draws once for many changes.
    if (isDrawing) return;
    isDrawing = true;
    setImmediate(() => {
      isDrawing = false;
      draw();
    });
  });
  const paint = terminalPainter(options);
  const screen = (): ReactNode => (
    <Screen picker={picker} paint={paint} press={(command) => void picker.press(command)} />
  );
  const draw = (): void => app.rerender(screen());
  const resized = (): void => {
    picker.resize(sizeNow());
    draw();
  };
  // Before ink's own handler, which would redraw the old frame.
  output.on("resize", resized);
  // The terminal was closed.
  input.on("error", () => picker.leave(129));
  const forgetSignals = onSignals((code) => picker.leave(code));
  // Start in the first column. Without wrapping, a line that the terminal measures as longer than we do is cut, not
  // continued.
  output.write(`\r${NO_WRAP}`);
  const wrapAgain = (): void => void output.write(WRAP);
  process.once("exit", wrapAgain);
  const app: Instance = render(screen(), {
    stdin: input,
    stdout: output,
    alternateScreen: true,
    // Also in CI, where the tests run.
    interactive: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 60,
  });
  try {
    const opened = openSkills(picker, options, draw);
    const ended = app.waitUntilExit().then((): PickOutcome => ({ exitCode: 1 }));
    return await Promise.race([picker.outcome, ended, opened.then(() => picker.outcome)]);
  } finally {
    app.unmount();
    forgetSignals();
    output.off("resize", resized);
    process.off("exit", wrapAgain);
    wrapAgain();
  }
}

async function openSkills(picker: Picker, options: PickOptions, draw: () => void): Promise<void> {
  const skills = await LiveSkills.open(options, {
    progress: (folders) => {
      picker.progress = `Looking for skills: ${pluralize(folders, "folder")}`;
      // Draw now: the scan does not return to the event loop in time for a scheduled draw.
      draw();
    },
    note: (line) => picker.tell(line),
    ready: () => void picker.searchReady(),
    changed: () => void picker.changed(),
    failed: (error) => picker.tell(error.message, true),
  });
  await picker.start(skills);
}

const NO_WRAP = "\u001b[?7l";
const WRAP = "\u001b[?7h";

/** Quits with the exit code that shells use for the signal; returns a function that removes the handlers. */
function onSignals(leave: (code: number) => void): () => void {
  const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
  const handlers = Object.entries(codes).map(([signal, code]) => [signal, () => leave(code)] as const);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
