import { PageHead } from "../../parts/page/title.tsx";

export function Page() {
  return (
    <div class="page">
      <PageHead title="Skills" />
    </div>
  );
}
