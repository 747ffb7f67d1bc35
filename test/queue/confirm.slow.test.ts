import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { PUBLISH } from "../cli/typed-skills.ts";
import { Team } from "./team.ts";

const RUN = ["run", "publish", "a.txt", "--confirm", "sign_off", "--yes", "--queue", "--json"];

it("003 §3.1 a worker runs what the asker confirmed, with the asker's name and time", async () => {
  await using team = await Team.start();
  const [asking, working] = [team.machine(PUBLISH), team.machine(PUBLISH)];
  for (const machine of [asking, working]) machine.trust();
  const before = new Date().toISOString();
  const { json } = await asking.knack([...RUN, "--no-wait"]);
  const after = new Date().toISOString();
  await using _worker = await working.worker();
  const report = (await asking.knack(RUN)).json();
  expect(json()).toMatchObject({ state: "WAITING" });
  const [, word] = report.inputs;
  expect(report).toMatchObject({ status: "SUCCEEDED" });
  await using db = await team.db();
  const [row] = await db.all("SELECT inputs_json FROM skill_runs ORDER BY started_at LIMIT 1");
  const recorded = JSON.parse(String(row?.inputs_json))[1];
  expect([word.confirmed_by, recorded.confirmed_by]).toEqual(Array(2).fill(userInfo().username));
  expect(recorded.confirmed_at >= before && recorded.confirmed_at <= after).toBe(true);
});

it.each([
  ["other parameters", (request: Request) => ({ ...request, params: { text: "another" } })],
  ["no confirmation", (request: Request) => ({ ...request, confirmed: [] })],
  ["another name for the same", (request: Request) => ({ ...request, confirmed: [{ role: "report" }] })],
])("003 §3.1 a worker does not run a request in the queue that has %s now", async (_, change) => {
  await using team = await Team.start();
  const [asking, working] = [team.machine(PUBLISH), team.machine(PUBLISH)];
  for (const machine of [asking, working]) machine.trust();
  const { id } = (await asking.knack([...RUN, "--no-wait"])).json();
  await using db = await team.db();
  const [row] = await db.all("SELECT request_json FROM queued_runs WHERE queue_id = ?", [id]);
  const changed = JSON.stringify(change(JSON.parse(String(row?.request_json))));
  await db.run("UPDATE queued_runs SET request_json = ? WHERE queue_id = ?", [changed, id]);
  await using _worker = await working.worker();
  await expect
    .poll(async () => (await db.all("SELECT state FROM queued_runs WHERE queue_id = ?", [id]))[0]?.state)
    .toBe("DEAD");
  expect(await db.all("SELECT skill_run_id FROM skill_runs")).toEqual([]);
});

interface Request {
  readonly params: object;
  readonly confirmed: readonly object[];
}
