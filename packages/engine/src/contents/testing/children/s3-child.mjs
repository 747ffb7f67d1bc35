import S3rver from "@20minutes/s3rver";

/** Starts the server on a free port, tells the port, and ends with its parent. */
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  silent: true,
  // It signs the path of a bucket without the slash that the client has at its end.
  allowMismatchedSignatures: true,
  directory: process.argv[2],
  configureBuckets: [{ name: "knack" }],
});
const { port } = await server.run();
console.log(port);
process.stdin.resume().on("end", () => process.exit());
