import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Connection } from "../e2e/driver.ts";
import { timed } from "./machine.ts";
import { atMost, type Row } from "./rows.ts";

const PANDAS = "import numpy as np, pandas as pd\ndf = pd.DataFrame({'g': np.arange(10_000) % 10, 'x': np.random.rand(10_000)})\ndf.groupby('g').x.mean().size";
const MANY = 100;

async function repeat(rounds: number, work: (round: number) => Promise<number>): Promise<readonly number[]> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) values.push(await work(round));
  return values;
}

async function ask(server: Connection, tool: string, args: Record<string, unknown>): Promise<unknown> {
  const { isError, text, structured } = await server.call(tool, args);
  if (isError) throw new Error(text);
  return structured;
}

async function infoOf(server: Connection, name: string): Promise<{ stored_bytes: number }> {
  const { sandboxes } = Object(await ask(server, "list_sandboxes", {}));
  return sandboxes.find((info: { name: string }) => info.name === name);
}

/** Turns, forks and rollbacks of a pandas session in memory, and what many at rest weigh. */
async function inMemory(rounds: number, weigh: (pid: number) => number): Promise<readonly Row[]> {
  await using server = await connect([`--sandboxes=${String(MANY + rounds + 10)}`]);
  const turn = (sandbox: string, args = {}): Promise<unknown> => server.run("python", "len(df)", { sandbox, ...args });
  await server.run("python", PANDAS, { sandbox: "s" });
  for (let warm = 0; warm < 5; warm += 1) await turn("s");
  const turns = await repeat(rounds, () => timed(() => turn("s")));
  const forks = await repeat(rounds, (round) => timed(() => ask(server, "fork_sandbox", { from: "s", to: `f${String(round)}` })));
  const firsts = await repeat(rounds, (round) => timed(() => turn(`f${String(round)}`)));
  const before = (await infoOf(server, "s")).stored_bytes;
  const grown = (await infoOf(server, "f0")).stored_bytes;
  const rollbacks = await repeat(rounds, async () => {
    await server.run("python", "df = None\nwhile True: pass", { sandbox: "s", fuel: 5_000_000 });
    return timed(() => turn("s"));
  });
  const rows: Row[] = [
    { what: "turn in a warm named pandas sandbox", unit: "ms", values: turns },
    atMost(15, { what: "fork of a pandas sandbox", unit: "ms", values: forks }),
    { what: "first turn in a fork", unit: "ms", values: firsts },
    { what: "first turn after a rollback", unit: "ms", values: rollbacks },
    { what: "a pandas sandbox at rest", unit: "MB", values: [before / 1e6] },
    atMost(10, { what: "a fork at rest, after a turn of its own", unit: "MB", values: [grown / 1e6] }),
  ];
  if (process.platform !== "linux") return rows;
  const empty = weigh(server.pid);
  await repeat(MANY, (round) => timed(() => server.run("python", PANDAS, { sandbox: `m${String(round)}` })));
  const idle: Row = { what: `${String(MANY)} idle pandas sandboxes, more than before them (PSS)`, unit: "MB", values: [weigh(server.pid) - empty] };
  return [...rows, atMost(1_000, idle)];
}

/** Megabytes of random numbers, of which nothing can be left out. */
const LARGE_MB = 250;

/** A sandbox that is large: what it costs to store it and to bring it back. */
async function largeOnDisk(rounds: number): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "belljar-bench-"));
  try {
    await using server = await connect([`--state-dir=${folder}`, "--sandboxes=1"]);
    const turn = (sandbox: string): Promise<unknown> => server.run("python", "len(a)", { sandbox });
    await server.run("python", `import numpy as np\na = np.random.rand(${String(LARGE_MB)} * 125_000)`, { sandbox: "l" });
    const turns = await repeat(rounds, () => timed(() => turn("l")));
    await server.run("python", "a = [1]", { sandbox: "s" });
    const returns = [await timed(() => turn("l"))];
    // 100 MB a second.
    return [
      atMost(LARGE_MB * 10, { what: `turn in a stored sandbox of ${String(LARGE_MB)} MB`, unit: "ms", values: turns }),
      { what: "turn in it that brings it back from the disk, and stores it", unit: "ms", values: returns },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same session with a state folder: what storing costs, and a return from the disk. */
async function onDisk(rounds: number): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "belljar-bench-"));
  try {
    await using server = await connect([`--state-dir=${folder}`, "--sandboxes=1"]);
    const turn = (sandbox: string): Promise<unknown> => server.run("python", "len(df)", { sandbox });
    await server.run("python", PANDAS, { sandbox: "s" });
    await ask(server, "fork_sandbox", { from: "s", to: "t" });
    for (let warm = 0; warm < 5; warm += 1) await turn("s");
    const turns = await repeat(rounds, () => timed(() => turn("s")));
    // Each use of one drops the other from memory.
    const returns = await repeat(rounds, (round) => timed(() => turn(round % 2 === 0 ? "t" : "s")));
    return [
      { what: "turn in a warm named pandas sandbox that is stored", unit: "ms", values: turns },
      { what: "turn in one that comes back from the disk", unit: "ms", values: returns },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What named sandboxes cost; `weigh` gives the megabytes of a process and all it started. */
export async function measureSandboxes(rounds: number, weigh: (pid: number) => number): Promise<readonly Row[]> {
  return [...(await inMemory(rounds, weigh)), ...(await onDisk(rounds)), ...(await largeOnDisk(Math.min(rounds, 5)))];
}
