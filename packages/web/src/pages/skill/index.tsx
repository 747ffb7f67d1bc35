import { useRoute } from "preact-iso";
import { PageHead } from "../../parts/page/title.tsx";

export function Page() {
  const { params } = useRoute();
  return (
    <div class="page">
      <PageHead title={params.id ?? ""} />
    </div>
  );
}
