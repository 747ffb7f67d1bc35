import { useState } from "preact/hooks";
import { PageHead } from "../../parts/page/title.tsx";
import { LiveView } from "../../parts/state/gone.tsx";
import { Clients } from "./clients.tsx";
import { Cost } from "./cost.tsx";
import { Needs } from "./needs.tsx";
import { Questions } from "./questions.tsx";
import { type Days, Use } from "./use.tsx";
import { UsedSkills } from "./used-skills.tsx";
import "./home.css";

export function Page() {
  const [days, setDays] = useState<Days>(30);
  return (
    <div class="page home">
      <PageHead title="Home" />
      <LiveView>
        <Questions />
        <div class="home-grid">
          <div class="home-column">
            <Needs />
            <Use days={days} onDays={setDays} />
          </div>
          <div class="home-column">
            <Clients />
            <UsedSkills days={days} />
            <Cost />
          </div>
        </div>
      </LiveView>
    </div>
  );
}
