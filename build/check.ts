import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { VERSION } from "../src/cli/version.ts";
import { outcomeSchema } from "../src/policy/outcome.ts";
import { BINARY } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

/** One call of each language, with what its text has to hold. */
const CALLS = [
  { name: "execute_javascript", code: "[1, 2, 3].map((n) => n * 7)", result: [7, 14, 21] },
  { name: "execute_python", code: "import numpy\nint(numpy.arange(7).sum()) * 2", result: 42 },
] as const;

/** Runs what was packed, from an empty folder and with an empty environment: its version, and a call of each language over MCP. */
export const check: Step = {
  name: "check",
  inputs: ["build/check.ts", "package.json"],
  after: ["pack"],
  outputs: [],
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "belljar-check-"));
    try {
      const version = execFileSync(BINARY, ["--version"], { cwd: folder, env: {}, encoding: "utf8" }).trim();
      if (version !== VERSION) throw new BuildError(`The binary says it is version ${version}, not ${VERSION}.`);
      await roundTrip(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function roundTrip(cwd: string): Promise<void> {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "belljar-check", version: VERSION });
  await client.connect(new StdioClientTransport({ command: BINARY, args: [], cwd, env: {}, stderr: "inherit" }));
  try {
    for (const { name, code, result } of CALLS) {
      const { structuredContent } = await client.callTool({ name, arguments: { code } });
      const outcome = outcomeSchema.parse(structuredContent);
      if (isDeepStrictEqual(outcome.result, result)) continue;
      throw new BuildError(`The binary answers ${name} with ${JSON.stringify(outcome)}, not ${JSON.stringify(result)}.`);
    }
  } finally {
    await client.close();
  }
}
