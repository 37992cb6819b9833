import { connect, startRaw, type Connection } from "../e2e/driver.ts";
import { bareStart, binaryMegabytes, memory, timed } from "./machine.ts";
import { nativePython, type Peer } from "./peers.ts";
import { JAVASCRIPT_LOADS, NUMPY_LOADS, PANDAS, PYTHON_LOADS } from "./programs.ts";
import { median, ratio, type Row } from "./rows.ts";

const LANGUAGES = ["python", "javascript"] as const;
type Language = (typeof LANGUAGES)[number];
const TRIVIAL = "1 + 1";
/** How often Belljar and the others take turns. */
const TURNS = 10;
const TITLES = { python: "Python", javascript: "JavaScript" } as const;

/** Milliseconds from the start of the command to the answer of its first call. */
async function firstAnswer(language: Language): Promise<number> {
  const started = performance.now();
  await using server = startRaw();
  server.send({ id: 1, method: "tools/call", params: { name: `execute_${language}`, arguments: { code: "1 + 1" } } });
  const { result } = Object(await server.response(1));
  const ms = performance.now() - started;
  if (result?.structuredContent?.result !== 2) throw new Error(`wrong answer: ${JSON.stringify(result)}`);
  return ms;
}

/** From nothing, without any cache, to an answer. Belljar keeps none, so each of its starts is a first one. */
export async function starts(rounds: number): Promise<readonly Row[]> {
  const values: Readonly<Record<"bare" | Language, number[]>> = { bare: [], python: [], javascript: [] };
  for (let round = 0; round < rounds; round += 1) {
    values.bare.push(await bareStart());
    for (const language of LANGUAGES) values[language].push(await firstAnswer(language));
  }
  const times = (numbers: readonly number[]): string => `here ${(median(numbers) / median(values.bare)).toFixed(1)} times the bare start`;
  return [
    { what: "bare start", who: "the same Node", unit: "ms", values: values.bare },
    { what: "start to first Python answer", unit: "ms", values: values.python, aim: `at most 8 times; ${times(values.python)}` },
    { what: "start to first JavaScript answer", unit: "ms", values: values.javascript, aim: `at most 3 times; ${times(values.javascript)}` },
  ];
}

/** Code that does next to nothing, in a sandbox of its own each time; Belljar and the others by turns. */
export async function trivialCalls(server: Connection, calls: number, peers: readonly Peer[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const language of LANGUAGES) {
    const what = `warm trivial call, ${TITLES[language]}`;
    const own: number[] = [];
    const theirs = new Map<Peer, number[]>();
    for (const peer of peers.filter((each) => each.language === language)) if ((await attempt(peer)) !== undefined) theirs.set(peer, []);
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (let call = 0; call < calls / TURNS; call += 1) own.push(await timed(() => server.run(language, TRIVIAL)));
      for (const [peer, values] of theirs) values.push((await attempt(peer)) ?? NaN);
    }
    rows.push({ what, unit: "ms", values: own, aim: "at most 2 ms" });
    for (const [peer, values] of theirs) rows.push({ what, who: peer.name, unit: "ms", values: values.filter(Number.isFinite) });
    rows.push({ what: `trivial calls, 8 at once, ${TITLES[language]}`, unit: "a second", values: [await rate(server, language, calls)] });
  }
  const frames: number[] = [];
  for (let call = 0; call < Math.min(calls, 30); call += 1) frames.push(await timed(() => server.run("python", PANDAS)));
  return [...rows, { what: "warm call that describes a small pandas frame", unit: "ms", values: frames.slice(3), aim: "under 15 ms" }];
}

/** One run of a peer; undefined, told on stderr, when it can't. */
async function attempt(peer: Peer): Promise<number | undefined> {
  try {
    return await peer.run(TRIVIAL);
  } catch (error) {
    console.error(`${peer.name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function rate(server: Connection, language: Language, calls: number): Promise<number> {
  let left = Math.max(calls, 40);
  const whole = left;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await server.run(language, TRIVIAL);
    }
  };
  return whole / ((await timed(() => Promise.all(Array.from({ length: 8 }, client)))) / 1_000);
}

/** Programs that keep a processor busy, by turns here and there; the least time of the rounds is compared. */
export async function busyPrograms(server: Connection, rounds: number, quickjs: Peer | undefined): Promise<readonly Row[]> {
  await using native = nativePython();
  const rows: Row[] = [];
  const groups = [
    { language: "python", loads: PYTHON_LOADS, other: native, aim: "at most 3.5" },
    { language: "python", loads: NUMPY_LOADS, other: native, aim: "at most 4" },
    { language: "javascript", loads: JAVASCRIPT_LOADS, other: quickjs, aim: "at most 1.2" },
  ] as const;
  for (const { language, loads, other, aim } of groups) {
    for (const [name, code] of other === undefined ? [] : Object.entries(loads)) {
      const times: [number, number] = [Infinity, Infinity];
      // The first round compiles.
      for (let round = 0; round <= rounds; round += 1) {
        const outcome = await server.run(language, code);
        if (outcome.status !== "ok") throw new Error(`${name}: ${JSON.stringify(outcome.error)}`);
        const theirs = await other?.run(code);
        if (round === 0) continue;
        times[0] = Math.min(times[0], outcome.usage.wall_ms);
        times[1] = Math.min(times[1], theirs ?? Infinity);
      }
      rows.push({ what: `${TITLES[language]}, ${name}, metered`, who: `Belljar ÷ ${other?.name ?? ""}`, unit: "times", values: [times[0] / times[1]], aim });
    }
  }
  return rows;
}

/** Latency must not grow with the number of calls. */
export async function growth(server: Connection, calls: number): Promise<readonly Row[]> {
  const values: number[] = [];
  for (let call = 0; call < calls; call += 1) values.push(await timed(() => server.run("python", "1 + 1")));
  const part = Math.max(1, Math.floor(calls / 10));
  const first: Row = { what: `a call among the first ${String(part)} of ${String(calls)}`, unit: "ms", values: values.slice(0, part) };
  const last: Row = { what: `a call among the last ${String(part)}`, unit: "ms", values: values.slice(-part) };
  return [first, { ...last, aim: `as the first; here ${ratio(last, first).toFixed(2)} times` }];
}

/** What waiting for calls weighs, and the file. */
export async function weights(): Promise<readonly Row[]> {
  const file: Row = { what: "the file", who: "Belljar", unit: "MB", values: [binaryMegabytes()], aim: "under 300" };
  if (process.platform !== "linux") return [file];
  await using server = await connect();
  await server.run("python", "1");
  await new Promise((done) => setTimeout(done, 3_000));
  const weigh = (what: string, field: Parameters<typeof memory>[1], aim = ""): Row => ({ what, who: "Belljar", unit: "MB", values: [memory(server.pid, field)], aim });
  const idle = [
    weigh("idle with both languages ready (PSS)", "Pss", "under 350"),
    weigh("of it the mapped file, which the system can take back", "Pss_File"),
    weigh("of it memory of its own", "Pss_Anon"),
  ];
  await server.run("python", PANDAS);
  return [...idle, weigh("after a pandas run (PSS)", "Pss"), file];
}
