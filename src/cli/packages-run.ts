import { spawn } from "node:child_process";

/** How a program ended, and what it said of itself. */
export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

const MOST_SAID = 4_000;

/** Runs the first of the commands that is on this machine; undefined when none is. */
export async function runFirst(commands: readonly (readonly string[])[], args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran | undefined> {
  for (const [program = "", ...before] of commands) {
    const ran = await run(program, [...before, ...args], env);
    if (ran !== undefined && !/No module named pip/.test(ran.said)) return ran;
  }
  return undefined;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true, shell: program.endsWith(".cmd") });
    let said = "";
    const hear = (bytes: Buffer): void => void (said = (said + bytes.toString("utf8")).slice(-MOST_SAID));
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve({ code, said: said.trim() }));
  });
}
