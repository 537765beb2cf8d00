import { readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { catalogues } from "./catalogues.ts";

/** A file of a package: the package's folder and name. */
const FILE_OF_PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * Lists the packages whose code or fonts the page includes: packages.json has their versions, which the software bill
 * of materials reads, and licences.txt the licences that have to come with them.
 */
function includedPackages(): Plugin {
  return {
    name: "included-packages",
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((made) =>
        made.type === "chunk" ? made.moduleIds : made.originalFileNames,
      );
      const names = new Set(files.map((file) => FILE_OF_PACKAGE.exec(file)?.[1]).filter((name) => name !== undefined));
      const packages = [...names].sort().map((name) => {
        const folder = `node_modules/${name}`;
        const licence = readdirSync(folder).find((file) => /^licen[cs]e(\.|$)/i.test(file));
        if (licence === undefined) throw new Error(`the page includes ${name}, which has no file with its licence`);
        const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { version: string };
        return { name, version, text: readFileSync(`${folder}/${licence}`, "utf8") };
      });
      const versions = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
      const texts = packages.map(({ name, text }) => `${name}\n\n${text}`).join("\n\n---\n\n");
      this.emitFile({ type: "asset", fileName: "packages.json", source: `${JSON.stringify(versions, null, 2)}\n` });
      this.emitFile({ type: "asset", fileName: "licences.txt", source: texts });
    },
  };
}

export default defineConfig({
  plugins: [svelte(), catalogues(), includedPackages()],
  // The server allows the worker to run WebAssembly, by this name (server/http/pages.py).
  worker: { format: "es", rolldownOptions: { output: { entryFileNames: "assets/worker-[hash].js" } } },
  build: {
    outDir: "../src/fivedice/web",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "safari17.5", "firefox120"],
    assetsInlineLimit: 0,
    // The few parts that are loaded later have no others to be loaded with them.
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 600, // all pages in one file, about 160 KB compressed
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true }, "/pictures": "http://127.0.0.1:8000" },
  },
  // The files of tests share the modules that they import, which takes a third of the time of loading them anew.
  test: { include: ["src/**/*.test.ts"], silent: "passed-only", isolate: false },
});
