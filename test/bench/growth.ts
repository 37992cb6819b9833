import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, descendants, type Connection } from "../e2e/driver.ts";
import { memory, timed } from "./machine.ts";
import type { Language } from "./peers.ts";
import { atMostTimes, ratio, type Row } from "./rows.ts";

const LANGUAGES = ["python", "javascript"] as const;
const TITLES = { python: "Python", javascript: "JavaScript" } as const;
const TRIVIAL = "1 + 1";
const WARM_UP_CALLS = 200;
/** What the second server holds: packages of each language, files of a folder, named sandboxes. */
const PACKAGES = 300;
const FILES = 1_000;
const SANDBOXES = 32;
const IMPORTS = ["import pandas", "import matplotlib.pyplot", "import scipy.stats, sklearn.linear_model"] as const;
/** How often both servers take turns. */
const TURNS = 20;
const TOUCHED_MB = [1, 16, 64, 256] as const;
/** For what comes after an answer, such as giving memory back: it is not to be waited for by the next call. */
const REST_MS = 300;

/** Latency and memory must not grow with the number of calls, nor latency with what there is that the call doesn't use. */
export async function growth(calls: number, perServer: number): Promise<readonly Row[]> {
  return [...(await ofCalls(calls)), ...(await ofWhatIsThere(perServer)), ...(await ofWhatIsTouched())];
}

async function warm(args: readonly string[] = []): Promise<Connection> {
  const server = await connect(args);
  await Promise.all(LANGUAGES.map((language) => server.run(language, "1")));
  await sleep(3_000);
  for (const language of LANGUAGES) for (let call = 0; call < WARM_UP_CALLS; call += 1) await server.run(language, TRIVIAL);
  return server;
}

/** The first of the calls and the last, and what the server and its engine hold after these and after those. */
async function ofCalls(calls: number): Promise<readonly Row[]> {
  await using server = await warm();
  const part = Math.max(1, Math.floor(calls / 10));
  const rows: Row[] = [];
  for (const language of LANGUAGES) {
    const values: number[] = [];
    const one = async (): Promise<void> => void values.push(await timed(() => server.run(language, TRIVIAL)));
    while (values.length < part) await one();
    const before = await held(server);
    while (values.length < calls) await one();
    const after = await held(server);
    const count = (number: number): string => number.toLocaleString("en-US");
    const first: Row = { what: `${TITLES[language]} call among the first ${count(part)}`, unit: "ms", values: values.slice(0, part) };
    const last: Row = { what: `${TITLES[language]} call among the last ${count(part)} of ${count(calls)}`, unit: "ms", values: values.slice(-part) };
    const weight = ([who, mb]: readonly [string, number], after: number): Row => ({ what: `memory after ${count(after)} ${TITLES[language]} calls (PSS)`, who, unit: "MB", values: [mb] });
    rows.push(first, atMostTimes(1.1, "the first", ratio(last, first), last));
    rows.push(...before.map((each) => weight(each, part)), ...after.map((each) => weight(each, calls)));
  }
  return rows;
}

/** Megabytes of the server and of its engine, at rest; nothing where there is no such account. */
async function held(server: Connection): Promise<readonly (readonly [string, number])[]> {
  if (process.platform !== "linux") return [];
  await sleep(1_000);
  const engine = descendants(server.pid).slice(0, 1).reduce((sum, pid) => sum + memory(pid), 0);
  return [["Belljar's server", memory(server.pid) - engine], ["Belljar's engine", engine]];
}

/** Two servers by turns: one with nothing granted or kept, and one with much of everything that could be. */
async function ofWhatIsThere(calls: number): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "belljar-bench-"));
  try {
    await using bare = await warm();
    await using full = await fill(folder);
    const rows: Row[] = [];
    for (const language of LANGUAGES) {
      const times: readonly [number[], number[]] = [[], []];
      for (let turn = 0; turn < TURNS; turn += 1) {
        for (const [server, values] of [[bare, times[0]], [full, times[1]]] as const) {
          for (let call = 0; call < calls / TURNS; call += 1) values.push(await timed(() => server.run(language, TRIVIAL)));
        }
      }
      const without: Row = { what: `trivial ${TITLES[language]} call, nothing granted, nothing kept`, unit: "ms", values: times[0] };
      const what = `trivial ${TITLES[language]} call beside ${String(SANDBOXES)} named pandas sandboxes, ${String(PACKAGES)} packages, a folder of ${FILES.toLocaleString("en-US")} files, and with each image opened`;
      const beside: Row = { what, unit: "ms", values: times[1] };
      rows.push(without, atMostTimes(1.1, "that with nothing", ratio(beside, without), beside));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fill(folder: string): Promise<Connection> {
  const [packages, files] = [join(folder, "packages"), join(folder, "files")];
  mkdirSync(files);
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(files, `${String(at)}.txt`), "x".repeat(1_000));
  for (let at = 0; at < PACKAGES; at += 1) {
    const [python, javascript] = [join(packages, `thing${String(at)}`), join(packages, "node_modules", `thing${String(at)}`)];
    for (const place of [python, javascript]) mkdirSync(place, { recursive: true });
    writeFileSync(join(python, "__init__.py"), `VALUE = ${String(at)}\n`);
    writeFileSync(join(javascript, "package.json"), JSON.stringify({ name: `thing${String(at)}`, version: "1.0.0", type: "module", main: "index.js" }));
    writeFileSync(join(javascript, "index.js"), `export const value = ${String(at)};\n`);
  }
  const server = await warm([`--packages=${packages}`, `--allow-read=${files}`, `--sandboxes=${String(SANDBOXES)}`, `--audit=${join(folder, "audit")}`]);
  for (const code of IMPORTS) await expect(server, "python", code);
  await expect(server, "python", "import thing7\nassert thing7.VALUE == 7");
  await expect(server, "javascript", "import { value } from 'thing7'; if (value !== 7) throw new Error(value)");
  for (let at = 0; at < SANDBOXES; at += 1) await expect(server, "python", "import pandas as pd\ndf = pd.DataFrame({'x': range(1_000)})", { sandbox: `s${String(at)}` });
  await sleep(1_000);
  return server;
}

async function expect(server: Connection, language: Language, code: string, args: Record<string, unknown> = {}): Promise<void> {
  const { status, error } = await server.run(language, code, args);
  if (status !== "ok") throw new Error(`${code}: ${JSON.stringify(error)}`);
}

/** What a call costs that writes so much memory. */
async function ofWhatIsTouched(): Promise<readonly Row[]> {
  await using server = await warm();
  const values = TOUCHED_MB.map(() => Array<number>());
  for (let round = 0; round < TURNS; round += 1) {
    for (const [at, mb] of TOUCHED_MB.entries()) {
      await sleep(REST_MS);
      values[at]?.push(await timed(() => expect(server, "python", `b'x' * ${String(mb * 1_000_000)}\nNone`)));
    }
  }
  return TOUCHED_MB.map((mb, at) => ({ what: `Python call that writes ${String(mb)} MB`, unit: "ms", values: values[at] ?? [] }));
}
