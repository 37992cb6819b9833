import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { connect, descendants, startRaw, type Connection } from "../e2e/driver.ts";
import { measureFolders } from "./folders.ts";
import type { Row } from "./rows.ts";
import { measureRequests } from "./requests.ts";
import { measureSandboxes } from "./sandboxes.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" }, calls: { type: "string", default: "100" } } });
const ROUNDS = Number(values.rounds);
const CALLS = Number(values.calls);
const PANDAS = "import numpy as np, pandas as pd\npd.DataFrame({'g': np.arange(100_000) % 10, 'x': np.random.rand(100_000)}).groupby('g').x.mean().size";

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Milliseconds from a start of this Node to the first byte of a program that only prints. */
function bareStart(): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ["-e", "process.stdout.write('x')"], { env: {}, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve) => child.stdout.once("data", () => resolve(performance.now() - started)));
}

/** Milliseconds from the start of the command to the answer of its first call. */
async function firstAnswer(language: "python" | "javascript"): Promise<number> {
  const started = performance.now();
  await using server = startRaw();
  server.send({ id: 1, method: "tools/call", params: { name: `execute_${language}`, arguments: { code: "1 + 1" } } });
  const { result } = Object(await server.response(1));
  const ms = performance.now() - started;
  if (result?.structuredContent?.result !== 2) throw new Error(`wrong answer: ${JSON.stringify(result)}`);
  return ms;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Megabytes of a process and all it started, by a field of Linux's own account. */
function memory(pid: number, field: "Pss" | "Rss" | "VmHWM"): number {
  const file = field === "VmHWM" ? "status" : "smaps_rollup";
  const ofOne = (id: number): number => {
    const text = readFileSync(`/proc/${String(id)}/${file}`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? NaN) / 1_000;
  };
  return [pid, ...descendants(pid)].reduce((sum, id) => sum + ofOne(id), 0);
}

async function warmCalls(server: Connection): Promise<readonly Row[]> {
  const python: number[] = [];
  const javascript: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    python.push(await timed(() => server.run("python", "1 + 1")));
    javascript.push(await timed(() => server.run("javascript", "1 + 1")));
  }
  return [
    { what: "warm trivial call, Python", unit: "ms", values: python },
    { what: "warm trivial call, JavaScript", unit: "ms", values: javascript },
  ];
}

async function starts(): Promise<readonly Row[]> {
  const bare: number[] = [];
  const python: number[] = [];
  const javascript: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await bareStart());
    python.push(await firstAnswer("python"));
    javascript.push(await firstAnswer("javascript"));
  }
  const times = (numbers: readonly number[]): string => `${(median(numbers) / median(bare)).toFixed(1)} times the bare start`;
  return [
    { what: "bare start of the same Node", unit: "ms", values: bare },
    { what: "start to first Python answer", unit: "ms", values: python, aim: `at most 10 times; here ${times(python)}` },
    { what: "start to first JavaScript answer", unit: "ms", values: javascript, aim: `at most 4 times; here ${times(javascript)}` },
  ];
}

async function measureMemory(server: Connection): Promise<readonly Row[]> {
  if (process.platform !== "linux") return [];
  const idle = { pss: memory(server.pid, "Pss"), rss: memory(server.pid, "Rss") };
  await server.run("python", PANDAS);
  return [
    { what: "idle with Python loaded, shared pages once (PSS)", unit: "MB", values: [idle.pss], aim: "under 450" },
    { what: "idle with Python loaded, each process by itself (RSS)", unit: "MB", values: [idle.rss] },
    { what: "after a pandas run (PSS)", unit: "MB", values: [memory(server.pid, "Pss")] },
    { what: "peak up to then, each process by itself (VmHWM)", unit: "MB", values: [memory(server.pid, "VmHWM")] },
  ];
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, unit, values: all, aim = "" }) => {
    const spread = all.length > 1 ? `${Math.min(...all).toFixed(1)} – ${Math.max(...all).toFixed(1)}` : "";
    return `| ${what} | ${median(all).toFixed(1)} ${unit} | ${spread} | ${aim} |`;
  });
  return ["| what | median | range | aim |", "|---|---|---|---|", ...lines].join("\n");
}

const startRows = await starts();
await using server = await connect();
await server.run("python", "1");
await server.run("javascript", "1");
const memoryRows = await measureMemory(server);
const warmRows = await warmCalls(server);
const sandboxRows = await measureSandboxes(ROUNDS, (pid) => memory(pid, "Pss"));
const requestRows = await measureRequests(ROUNDS);
const folderRows = await measureFolders(ROUNDS);
process.stdout.write(`${table([...startRows, ...warmRows, ...memoryRows, ...sandboxRows, ...requestRows, ...folderRows])}\n`);
