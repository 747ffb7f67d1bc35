import { join } from "node:path";
import { defineConfig } from "vite";

/** The server that the page talks to while it is developed: a running `knack serve`. */
const SERVER = process.env.KNACK_SERVER ?? "http://127.0.0.1:4747";

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: join(import.meta.dirname, "..", "knack", "dist", "web"),
    emptyOutDir: true,
    target: "es2023",
    // Data URLs would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: {
      "/api": {
        target: SERVER,
        changeOrigin: true,
        // The server answers only to its own page.
        configure: (proxy) => void proxy.on("proxyReq", (request) => request.setHeader("origin", SERVER)),
      },
    },
  },
});
