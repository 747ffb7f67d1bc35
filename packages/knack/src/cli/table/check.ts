import type { CommandGroup } from "./command-spec.ts";

export const CHECK: CommandGroup = {
  title: "See what is wrong:",
  commands: [
    {
      name: "doctor",
      summary: "what is where, what is wrong, and what to do",
      description:
        "Say what is where, what is wrong, which skills overlap and what to do. Exit code 1 if something is wrong.",
      examples: `
  knack doctor
  knack doctor --json`,
      load: () => import("../doctor/doctor.ts").then(({ doctor }) => doctor),
    },
  ],
};
