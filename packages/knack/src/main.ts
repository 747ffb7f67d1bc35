const words = process.argv.slice(2);
const isHook = words[0] === "hook";
// Most hooks have nothing to say: they end before the command line is loaded.
if (isHook && (await (await import("./hook/early.ts")).isDone(words.slice(1)))) process.exit(0);
const { run } = await import("./cli/program.ts");
await run(words);

export {};
