import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";
import { assertRefused } from "./refusal.ts";

const LIMIT = 1_024;
const server = await connect([`--code-bytes=${LIMIT}`]);
after(() => server[Symbol.asyncDispose]());

for (const language of ["python", "javascript"] as const) {
  test(`${language}: code of ${LIMIT} bytes runs, and of one more is refused`, async () => {
    const code = "6 * 7".padEnd(LIMIT);
    assert.equal((await server.run(language, code)).result, 42);
    await assertRefused(
      server,
      `execute_${language}`,
      { code: `${code} ` },
      "code is 1,025 bytes, and at most 1,024 are taken. Build large data in the code, or split the work.",
    );
  });

  test(`${language}: bytes are counted, not characters`, async () => {
    const code = (count: number): string => `'${"é".repeat(count)}'.length`.replace(".length", language === "python" ? ".__len__()" : ".length");
    const rest = Buffer.byteLength(code(0));
    const fits = Math.floor((LIMIT - rest) / 2);
    assert.equal((await server.run(language, code(fits))).result, fits);
    assert.match((await server.call(`execute_${language}`, { code: code(fits + 1) })).text, /^code is 1,02[56] bytes/);
  });
}
