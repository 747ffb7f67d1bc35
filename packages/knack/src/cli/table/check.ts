import type { CommandGroup } from "./command-spec.ts";

export const CHECK: CommandGroup = {
  title: "Find problems:",
  commands: [
    {
      name: "doctor",
      summary: "Check the setup and show how to fix problems",
      description:
        "Check the setup: where things are, what is wrong, how to fix it, which skills overlap. Exit code 1 if something is wrong.",
      examples: `
  knack doctor
  knack doctor --json`,
      load: () => import("../doctor/doctor.ts").then(({ doctor }) => doctor),
    },
  ],
};
