import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND } from "../e2e/driver.ts";
import { bareStart } from "./machine.ts";
import { CAPSULE_NAME, type Language, type Peer } from "./peers.ts";
import { atMostTimes, ratio, type Row } from "./rows.ts";
import { serve } from "./served.ts";

const TRIVIAL = "1 + 1";
/** First ever starts of others; one that takes longer than that is not made again. */
const FIRST_STARTS = 2;
const LONG_MS = 20_000;
const TITLES = { python: "Python", javascript: "JavaScript" } as const;

/** Works in an empty folder, which is gone after it. */
async function inEmptyFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "belljar-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of the command to the answer of its first call; the end of the process is not in them. */
async function own(language: Language): Promise<number> {
  return inEmptyFolder(async (folder) => {
    const started = performance.now();
    const [command = "", ...args] = COMMAND;
    await using server = await serve(command, args, folder);
    const text = await server.call(language, TRIVIAL);
    const ms = performance.now() - started;
    if (!text.startsWith("2")) throw new Error(`wrong answer: ${text}`);
    return ms;
  });
}

async function theirs(peer: Peer, home?: string): Promise<number> {
  const started = performance.now();
  await using opened = await peer.open(home);
  await opened.run(TRIVIAL);
  return performance.now() - started;
}

/**
 * From nothing to an answer. Belljar keeps nothing on the disk, so each of its starts is a first one; of the others, first
 * ever means an empty home, and later means one in which they have kept what they compiled.
 */
export async function starts(rounds: number, peers: readonly Peer[]): Promise<readonly Row[]> {
  const bare: number[] = [];
  const ours = { python: Array<number>(), javascript: Array<number>() };
  const later = new Map(peers.map((peer) => [peer, Array<number>()]));
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await bareStart());
    ours.python.push(await own("python"));
    ours.javascript.push(await own("javascript"));
    for (const [peer, values] of later) values.push(await theirs(peer));
  }
  const first = new Map(peers.map((peer) => [peer, Array<number>()]));
  for (let round = 0; round < Math.min(rounds, FIRST_STARTS); round += 1) {
    for (const [peer, values] of first) if (!values.some((ms) => ms > LONG_MS)) values.push(await inEmptyFolder((home) => theirs(peer, home)));
  }
  const node: Row = { what: "bare start", who: "the same Node, printing a letter", unit: "ms", values: bare };
  return [node, ...(["python", "javascript"] as const).flatMap((language) => ofLanguage(language, node, ours[language], first, later))];
}

function ofLanguage(language: Language, node: Row, values: readonly number[], first: ReadonlyMap<Peer, number[]>, later: ReadonlyMap<Peer, number[]>): readonly Row[] {
  const title = TITLES[language];
  const row: Row = { what: `first ever start to first ${title} answer`, unit: "ms", values };
  const others = [...first].filter(([peer]) => peer.language === language);
  const rows = others.flatMap(([peer, times]): Row[] => [
    { what: row.what, who: peer.name, unit: "ms", values: times },
    { what: `later start to first ${title} answer`, who: peer.name, unit: "ms", values: later.get(peer) ?? [] },
  ]);
  const own = atMostTimes(language === "python" ? 8 : 3, "the bare start", ratio(row, node), row);
  if (language === "javascript") return [own, ...rows];
  const figure = ratio(row, rows.find(({ who }) => who === CAPSULE_NAME));
  const beside: Row = { what: `${row.what}, beside Capsule's`, who: "Belljar ÷ Capsule", unit: "times", values: [figure] };
  return [own, atMostTimes(0.1, "Capsule's", figure, beside), ...rows];
}
