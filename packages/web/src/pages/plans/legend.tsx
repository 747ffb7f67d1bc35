import { Badge } from "../../parts/look/badge.tsx";
import { stateOf, type Task } from "./task-state.tsx";

/** What the icons mean: the states that the plan has now, and how many tasks are in each. */
export function Legend({ tasks }: { readonly tasks: readonly Task[] }) {
  const states = Map.groupBy(tasks.map(stateOf), ({ words }) => words);
  return (
    <ul class="legend" aria-label="States">
      {[...states].map(([words, all]) => {
        const [first] = all;
        return (
          first && (
            <li key={words}>
              <Badge means={first.means} icon={first.icon}>
                {all.length} {words}
              </Badge>
            </li>
          )
        );
      })}
    </ul>
  );
}
