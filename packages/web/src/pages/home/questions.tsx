import { useRef, useState } from "preact/hooks";
import { type Answer, post } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { act } from "../../parts/action.tsx";
import { Button, count, Icon, useAfter, useNow } from "../../parts/look.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";

type Question = Answer<"/api/questions">["questions"][number];
type Choice = "allow" | "deny" | "dismiss";

/** Questions of agents whose client cannot ask: they wait for some seconds, so they come before everything else. */
export function Questions() {
  const { data, reload } = useResource("/api/questions", undefined, { reloadOn: ["questions"] });
  const box = useRef<HTMLDivElement>(null);
  const questions = data?.questions ?? [];
  const goToFirst = () => box.current?.querySelector<HTMLElement>(".question-allow")?.focus();
  const shortcut = { keys: "q", words: "Go to the question of an agent", run: goToFirst };
  useShortcuts("Home", questions.length === 0 ? [] : [shortcut]);
  return (
    <div ref={box} class="questions stack" role="region" aria-label="Questions of agents" aria-live="polite">
      {questions.map((question) => (
        <QuestionCard key={question.id} question={question} onDone={reload} />
      ))}
    </div>
  );
}

const ANSWERED: Readonly<Record<Choice, string>> = { allow: "Allowed", deny: "Denied", dismiss: "Dismissed" };
/** A question may appear under the pointer: a click that was meant for something else answers nothing. */
const SETTLE_MS = 500;

function QuestionCard({ question, onDone }: { question: Question; onDone: () => void }) {
  const { id, client, tool, skill, path, executes, confirms } = question;
  const isReady = useAfter(SETTLE_MS);
  const [isSent, setSent] = useState(false);
  const answer = async (choice: Choice, always = false): Promise<void> => {
    if (!isReady || isSent) return;
    setSent(true);
    await act(
      () => post("/api/questions/{id}", { answer: choice, always }, { path: { id } }),
      `${confirms && choice === "allow" ? "Confirmed" : ANSWERED[choice]}${always ? " from now on" : ""}: ${skill ?? tool} for ${client}`,
    );
    onDone();
  };
  const shared = { needs: "approver", disabled: isSent } as const;
  const what = skill && !executes ? "use the skill" : skill ? `run ${tool} with the skill` : "run";
  return (
    <article class="question box row" aria-busy={!isReady}>
      <Icon name="info" size={20} />
      <div class="fill stack">
        <p>
          <b>{client}</b> wants to {what} <code>{skill ?? tool}</code>
        </p>
        <p class="small quiet">{question.reason}</p>
        {path && <p class="small quiet mono clip">{path}</p>}
        <details class="small">
          <summary class="quiet">Show the whole question</summary>
          <p>{question.text}</p>
        </details>
        <div class="row wrap">
          <Button
            {...shared}
            words={confirms ? "Confirm" : "Allow"}
            look="main"
            icon="check"
            class="question-allow"
            onClick={() => void answer("allow")}
          />
          {question.can_last && (
            <Button
              {...shared}
              words="Always allow"
              needs="owner"
              onClick={() => void answer("allow", true)}
            />
          )}
          <Button {...shared} words="Deny" look="danger" onClick={() => void answer("deny")} />
          <Button
            {...shared}
            words="Dismiss"
            look="quiet"
            title="The agent is told that nobody answered, not that you refused."
            onClick={() => void answer("dismiss")}
          />
          <TimeLeft until={question.until} />
        </div>
      </div>
    </article>
  );
}

function TimeLeft({ until }: { until: string }) {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - useNow(1_000)) / 1_000));
  return (
    <span class="push small quiet" aria-live="off">
      waits {count(seconds)} s
    </span>
  );
}
