import { Box, Text, useCursor, useInput, usePaste } from "ink";
import type { ReactNode } from "react";
import type { Paint } from "../../terminal/output.ts";
import { type Command, commandsOf, pasted } from "../keys.ts";
import type { Picker } from "../picker.ts";
import { keyLine, queryLine, readingLines, scopeLine, statusLine, titleLine } from "./draw-lines.ts";
import { layoutOf } from "./layout.ts";
import { listLines } from "./list-lines.ts";

interface ScreenProps {
  readonly picker: Picker;
  readonly paint: Paint;
  readonly press: (command: Command) => void;
}

/** The picker on a terminal; renders only what is visible. */
export function Screen({ picker, paint, press }: ScreenProps): ReactNode {
  const { setCursorPosition } = useCursor();
  useInput((input, key) => commandsOf(input, key).forEach(press));
  usePaste((text) => pasted(text).forEach(press));
  const { columns, rows } = picker.size;
  const { bodyRows, hasScopes, hasStatus, hasKeys } = layoutOf(picker.size);
  const { line, cursor } = queryLine(picker, columns, paint);
  // Input methods show their composition at the cursor.
  setCursorPosition(picker.isReading ? undefined : { x: cursor, y: 0 });
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Line text={line} />
      {hasScopes && (
        <Line
          text={
            picker.isReading ? titleLine(picker, columns, bodyRows, paint) : scopeLine(picker, columns, paint)
          }
        />
      )}
      <Box height={bodyRows}>
        {picker.isReading ? <Preview picker={picker} /> : <List picker={picker} paint={paint} />}
      </Box>
      {hasStatus && <Line text={statusLine(picker, columns, paint)} />}
      {hasKeys && <Line text={keyLine(picker, columns, paint)} />}
    </Box>
  );
}

/** The list, with the preview beside it if there is room. */
function List({ picker, paint }: Omit<ScreenProps, "press">): ReactNode {
  const { bodyRows, listColumns, sideColumns } = layoutOf(picker.size);
  const list = <Lines lines={listLines(picker, listColumns, bodyRows, paint)} width={listColumns} />;
  if (sideColumns === 0) return list;
  const divider = Array.from({ length: bodyRows }, () => paint("dim", " │ "));
  return (
    <>
      {list}
      <Lines lines={divider} width={3} />
      <Lines lines={readingLines(picker, sideColumns, bodyRows, 0)} width={sideColumns} />
    </>
  );
}

function Preview({ picker }: Pick<ScreenProps, "picker">): ReactNode {
  const { columns } = picker.size;
  const { bodyRows } = layoutOf(picker.size);
  return <Lines lines={readingLines(picker, columns, bodyRows, picker.readingTop)} width={columns} />;
}

function Lines({ lines, width }: { readonly lines: readonly string[]; readonly width: number }): ReactNode {
  return (
    <Box width={width} flexShrink={0}>
      <Text wrap="truncate-end">{lines.join("\n")}</Text>
    </Box>
  );
}

function Line({ text }: { readonly text: string }): ReactNode {
  // ink gives an empty text no line at all.
  return <Text wrap="truncate-end">{text === "" ? " " : text}</Text>;
}
