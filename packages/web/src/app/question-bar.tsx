import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../api/resource.ts";
import { Icon } from "../parts/look/icon.tsx";
import { plural } from "../parts/look/words.tsx";
import { pageTitle } from "../parts/page/title.tsx";

/** On every page but Home, which has the questions themselves: an agent waits only for some seconds. */
export function QuestionBar() {
  const { path } = useLocation();
  const { data } = useResource("/api/questions", undefined, { reloadOn: ["questions"] });
  const [first] = data?.questions ?? [];
  const waiting = data?.count ?? 0;
  const title = pageTitle.value;
  // A tab in the background shows by its title that somebody waits.
  useLayoutEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${pageTitle.peek()} · Knack`;
  }, [waiting, title]);
  return (
    <div role="status" class="question-bar-place">
      {first && data && path !== "/" && (
        <a class="question-bar" href="/">
          <Icon name="info" />
          <span class="clip">
            {data.count === 1
              ? `${first.client} asks you something.`
              : `Agents ask ${plural(data.count, "question")}.`}
          </span>
          <b>Answer</b>
        </a>
      )}
    </div>
  );
}
