import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { outcomeSchema, type Outcome } from "../../src/policy/outcome.ts";
import { graceMs } from "../../src/sandbox/stop.ts";
import { connect, descendants, type Connection } from "../e2e/driver.ts";
import { HONEST, HOSTILE, type Program } from "./programs.ts";

/** Calls in flight at the same time: more than workers, so that some wait. */
const CALLERS = 5;
const SAMPLES = 10;
/** Engines that are killed amid their runs, once the samples are taken: each takes what it held with it. */
const KILLS = 10;
/** What may come and go between two looks, in MiB: a garbage collector's slack. */
const SLACK_MB = 160;
/** Until so many runs have ended, threads and images still come into the engine's memory: too early to tell growth. */
const WARM_RUNS = 1_000;
const DEFAULT_TIMEOUT_MS = 30_000;

/** What the processes hold while nothing runs. */
export interface Sample {
  readonly runs: number;
  readonly seconds: number;
  readonly engineMb: number;
  readonly serverMb: number;
  readonly threads: number;
  readonly handles: number;
}

export interface Soaked {
  readonly samples: readonly Sample[];
  readonly statuses: ReadonlyMap<string, number>;
  /** All that was wrong, a sentence each; none is what to aim for. */
  readonly faults: readonly string[];
  /** Runs that ended more than 100 ms after deadline and grace. */
  readonly late: number;
  readonly slowestMs: number;
}

/** Runs so many programs through one server, a third of them hostile, and looks at what it holds now and then. */
export async function soak(runs: number, onSample: (sample: Sample) => void = () => {}): Promise<Soaked> {
  // What answers leave to be read is kept up to a cap: with a low one it is full by the first sample.
  await using server = await connect(["--kept-bytes=65536"]);
  const random = generator(20_261_130);
  const statuses = new Map<string, number>();
  const faults: string[] = [];
  const samples: Sample[] = [];
  let late = 0;
  let slowestMs = 0;
  let started = 0;
  const begun = performance.now();

  const one = async (): Promise<void> => {
    const pick = random();
    const list = pick < 1 / 3 ? HOSTILE : HONEST;
    const program = list[Math.floor(random() * list.length)];
    if (program === undefined) return;
    // Of the hostile, some are stopped from outside.
    if (pick < 0.02) return stopped(server, program, "cancel");
    if (pick < 0.04) return stopped(server, program, "kill");
    const { language, code, args = {} } = program;
    const outcome = await server.run(language, code, args);
    statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1);
    const fault = judge(program, outcome);
    if (fault !== undefined) faults.push(fault);
    const deadline = Number(args["timeout_ms"] ?? DEFAULT_TIMEOUT_MS);
    const over = outcome.usage.wall_ms - deadline - graceMs(deadline);
    if (over > 100) late += 1;
    slowestMs = Math.max(slowestMs, over);
  };

  const caller = async (until: number): Promise<void> => {
    while (started < until) {
      started += 1;
      await one().catch((error: unknown) => faults.push(String(error)));
    }
  };

  for (let part = 1; part <= SAMPLES; part += 1) {
    await Promise.all(Array.from({ length: CALLERS }, () => caller(Math.round((runs * part) / SAMPLES))));
    const { text } = await server.call("list_executions", {});
    if (text !== "No execution waits or runs.") faults.push(`after ${started} runs: ${text}`);
    const sample = await look(server, started, (performance.now() - begun) / 1_000);
    samples.push(sample);
    onSample(sample);
  }
  faults.push(...growth(samples));
  const last = samples.at(-1);
  for (let kill = 0; kill < KILLS; kill += 1) faults.push(...(await killEngine(server)));
  const after = await look(server, started, (performance.now() - begun) / 1_000);
  onSample(after);
  if (last !== undefined) faults.push(...growth([{ ...last, runs: 0 }, after]));
  if (/warning/i.test(server.stderr())) faults.push(`on standard error: ${server.stderr().slice(0, 500)}`);
  return { samples, statuses, faults, late, slowestMs };
}

/** Says what is wrong with an outcome, if anything is. */
function judge(program: Program, outcome: Outcome): string | undefined {
  const told = `${program.language} ${JSON.stringify(program.code.slice(0, 80))}: ${JSON.stringify(outcome).slice(0, 300)}`;
  if (![program.status].flat().includes(outcome.status)) return `wrong ending of ${told}`;
  if (program.result !== undefined && !isDeepStrictEqual(outcome.result, program.result)) return `wrong result of ${told}`;
  if (program.stdout !== undefined && outcome.stdout !== program.stdout) return `wrong output of ${told}`;
  return undefined;
}

/** Starts a program and stops it from outside; it may have ended before that. */
async function stopped(server: Connection, { language, code, args = {} }: Program, how: "cancel" | "kill"): Promise<void> {
  const controller = new AbortController();
  const { promise: id, resolve } = Promise.withResolvers<string>();
  const call = server.call(
    `execute_${language}`,
    { code, ...args },
    { signal: controller.signal, onProgress: ({ message = "" }) => resolve(/^Execution (\w+):/.exec(message)?.[1] ?? "") },
  );
  const ended = call.then(
    ({ structured }) => outcomeSchema.parse(structured).status,
    () => "cancelled",
  );
  if (how === "cancel") await sleep(20).then(() => controller.abort());
  else await Promise.race([ended, id.then(async (execution_id) => server.call("kill_execution", { execution_id }))]);
  await ended;
}

/** Kills the engine amid runs, of which more wait than run; says what was answered wrongly. */
async function killEngine(server: Connection): Promise<string[]> {
  const runs = Array.from({ length: 2 * CALLERS }, (_, at) => server.run(at % 2 === 0 ? "python" : "javascript", at % 2 === 0 ? "import time\ntime.sleep(0.5)\n7" : "await new Promise((done) => setTimeout(done, 500)); 7"));
  await sleep(250);
  for (const pid of descendants(server.pid)) process.kill(pid, "SIGKILL");
  const faults: string[] = [];
  for (const { status, result, error } of await Promise.all(runs)) {
    const isRight = status === "ok" ? result === 7 : status === "crashed" && /its process ended/.test(error?.message ?? "");
    if (!isRight) faults.push(`after the engine was killed: ${status} ${JSON.stringify(result)} ${JSON.stringify(error)}`);
  }
  for (const language of ["python", "javascript"] as const) {
    const { result } = await server.run(language, "6 * 7");
    if (result !== 42) faults.push(`the next ${language} after the engine was killed: ${JSON.stringify(result)}`);
  }
  return faults;
}

/** Waits until spare sandboxes are ready again, and reads what the kernel says. */
async function look(server: Connection, runs: number, seconds: number): Promise<Sample> {
  for (const language of ["python", "javascript"] as const) {
    await Promise.all(Array.from({ length: CALLERS }, () => server.run(language, "1")));
  }
  await sleep(1_000);
  const pids = [server.pid, ...descendants(server.pid)];
  const [serverMb = 0, engineMb = 0] = pids.map(residentMb);
  const count = (folder: string): number => pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/${folder}`).length, 0);
  return { runs, seconds, engineMb, serverMb, threads: count("task"), handles: count("fd") };
}

function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024);
}

/** What grew from the first look, when all threads were up, to the last. */
function growth(samples: readonly Sample[]): string[] {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return ["no sample"];
  const grown: string[] = [];
  if (first.runs >= WARM_RUNS && last.engineMb > first.engineMb + SLACK_MB) grown.push(`the engine grew from ${first.engineMb} to ${last.engineMb} MiB`);
  if (last.serverMb > first.serverMb + SLACK_MB / 2) grown.push(`the server grew from ${first.serverMb} to ${last.serverMb} MiB`);
  if (last.threads > first.threads + 1) grown.push(`threads grew from ${first.threads} to ${last.threads}`);
  if (last.handles > first.handles + 2) grown.push(`handles grew from ${first.handles} to ${last.handles}`);
  return grown;
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
