// The browser's verifier without its types, for a Node that does not know them.

import { readFileSync } from "node:fs";

import ts from "../../web/node_modules/typescript/lib/typescript.js";

const source = readFileSync(new URL("../../web/src/lib/verify.ts", import.meta.url), "utf8");
const { outputText } = ts.transpileModule(source, { compilerOptions: { target: "ES2022", module: "ESNext" } });
const found = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

export const { UncheckableError, commitment, faceFrom, readLines, tableDice, verifyRecord } = found;
