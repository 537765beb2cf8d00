import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The packages included in the built page, which must have their licences. */
const SHIPPED = ["svelte", "@fontsource-variable/figtree"];

function licences(): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const source = SHIPPED.map((name) => {
        const file = name === "svelte" ? "LICENSE.md" : "LICENSE";
        return `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8")}`;
      }).join("\n\n---\n\n");
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), licences()],
  build: {
    outDir: "../src/fivedice/web",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    assetsInlineLimit: 0,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true }, "/pictures": "http://127.0.0.1:8000" },
  },
  test: { include: ["src/**/*.test.ts"], silent: "passed-only" },
});
