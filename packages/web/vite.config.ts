import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** The server that the page talks to while it is developed: a running `knack serve`. */
const SERVER = process.env.KNACK_SERVER ?? "http://127.0.0.1:4747";

/** Moves the style sheets to the end: a browser paints what stands before a style sheet without waiting for it. */
const stylesLast: Plugin = {
  name: "styles-last",
  transformIndexHtml: {
    order: "post",
    handler: (html) => {
      const sheets = html.match(/\s*<link rel="stylesheet"[^>]*>/g) ?? [];
      const rest = sheets.reduce((text, sheet) => text.replace(sheet, ""), html);
      return rest.replace(/\s*<\/body>/, `${sheets.join("")}\n  </body>`);
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [stylesLast],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: join(import.meta.dirname, "..", "knack", "dist", "web"),
    emptyOutDir: true,
    target: "es2023",
    // Data URLs would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One script and one style sheet before the page shows anything: each further file takes time from the first paint.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "main", tags: ["$initial"] }] } } },
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
