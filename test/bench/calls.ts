import type { Connection } from "../e2e/driver.ts";
import { timed } from "./machine.ts";
import { CAPSULE_NAME, type Language, type Opened, type Peer } from "./peers.ts";
import { PANDAS } from "./programs.ts";
import { atLeastTimes, atMost, ratio, type Row } from "./rows.ts";

const TRIVIAL = "1 + 1";
/** How often Belljar and the others take turns. */
const TURNS = 10;
const RATE_TURNS = 5;
const AT_ONCE = 8;
const WARM_UP_CALLS = 20;
/** One that takes longer is called once a turn, not as often as the others. */
const SLOW_MS = 100;
const TITLES = { python: "Python", javascript: "JavaScript" } as const;

interface Contender {
  readonly peer: Peer | undefined;
  readonly call: () => Promise<number>;
  readonly slow: boolean;
  readonly values: number[];
  readonly rates: number[];
}

/** Code that does next to nothing, in a sandbox of its own each time; Belljar and the others by turns. */
export async function trivialCalls(server: Connection, calls: number, peers: readonly Peer[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const language of ["python", "javascript"] as const) {
    await using closing = new AsyncDisposableStack();
    const ours = await contender(undefined, () => timed(() => server.run(language, TRIVIAL)));
    const contenders = [ours];
    for (const peer of peers.filter((each) => each.language === language)) {
      const opened: Opened = closing.use(await peer.open());
      contenders.push(await contender(peer, () => opened.run(TRIVIAL)));
    }
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const { call, slow, values } of contenders) {
        for (let times = slow ? 1 : calls / TURNS; times > 0; times -= 1) values.push(await call());
      }
    }
    const over = contenders.filter(({ peer }) => peer === undefined || peer.protocol);
    for (let turn = 0; turn < RATE_TURNS; turn += 1) for (const { call, rates } of over) rates.push(await rate(call, Math.max(calls / RATE_TURNS, 5 * AT_ONCE)));
    rows.push(...rowsOf(language, contenders, over));
  }
  return [...rows, await pandas(server, calls)];
}

async function contender(peer: Peer | undefined, call: () => Promise<number>): Promise<Contender> {
  const slow = (await call()) > SLOW_MS && (await call()) > SLOW_MS;
  if (!slow) for (let times = 0; times < WARM_UP_CALLS; times += 1) await call();
  return { peer, call, slow, values: [], rates: [] };
}

function rowsOf(language: Language, contenders: readonly Contender[], over: readonly Contender[]): readonly Row[] {
  const row = (what: string, unit: Row["unit"], peer: Peer | undefined, values: readonly number[]): Row => ({ what: `${what}, ${TITLES[language]}`, unit, values, ...(peer && { who: peer.name }) });
  const [own, ...others] = contenders.map(({ peer, values }) => row("warm trivial call", "ms", peer, values));
  const [rate, ...rates] = over.map((each) => row(`trivial calls, ${String(AT_ONCE)} at once`, "a second", each.peer, each.rates));
  if (own === undefined || rate === undefined) return [];
  const figure = ratio(rate, rates.find(({ who }) => who === CAPSULE_NAME));
  return [atMost(2, own), ...others, atLeastTimes(language === "python" ? 2 : 4, "Capsule's", figure, rate), ...rates];
}

/** Calls a second, with some under way at any time. */
async function rate(call: () => Promise<number>, calls: number): Promise<number> {
  let left = calls;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  return calls / ((await timed(() => Promise.all(Array.from({ length: AT_ONCE }, client)))) / 1_000);
}

async function pandas(server: Connection, calls: number): Promise<Row> {
  const values: number[] = [];
  // The first ones compile what pandas has of its own.
  for (let call = -5; call < Math.min(calls, 50); call += 1) {
    const ms = await timed(() => server.run("python", PANDAS));
    if (call >= 0) values.push(ms);
  }
  return atMost(15, { what: "warm call that describes a small pandas frame", unit: "ms", values });
}
