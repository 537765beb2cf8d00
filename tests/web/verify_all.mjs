// Verify every record in a JSON array on standard input, and print a JSON array of results or reasons for their absence.

import { readFileSync } from "node:fs";

import { UncheckableError, verifyRecord } from "./verifier.mjs";

async function outcome(text) {
  try {
    return await verifyRecord(text);
  } catch (error) {
    if (!(error instanceof UncheckableError)) throw error;
    return { uncheckable: error.kind, line: error.line };
  }
}

console.log(JSON.stringify(await Promise.all(JSON.parse(readFileSync(0, "utf8")).map(outcome))));
