import type { Connection } from "../e2e/driver.ts";
import { nativePython, type Peer } from "./peers.ts";
import { JAVASCRIPT_LOADS, NUMPY_LOADS, PYTHON_LOADS } from "./programs.ts";
import { atMostTimes, median, type Row } from "./rows.ts";

const TITLES = { python: "Python", javascript: "JavaScript" } as const;

/** Programs that keep a processor busy, by turns here and there; each round's pair of times makes one ratio. */
export async function busyPrograms(server: Connection, rounds: number, peers: readonly Peer[]): Promise<readonly Row[]> {
  const native = nativePython();
  const quickjs = peers.find(({ name }) => name.startsWith("quickjs-emscripten"));
  const groups = [
    { language: "python", loads: PYTHON_LOADS, other: native, whose: "CPython's", limit: 3.5 },
    { language: "python", loads: NUMPY_LOADS, other: native, whose: "numpy's without a sandbox", limit: 4 },
    { language: "javascript", loads: JAVASCRIPT_LOADS, other: quickjs, whose: "quickjs-emscripten's", limit: 1.2 },
  ] as const;
  const rows: Row[] = [];
  for (const { language, loads, other, whose, limit } of groups) {
    if (other === undefined) continue;
    await using opened = await other.open();
    for (const [name, code] of Object.entries(loads)) {
      const values: number[] = [];
      // The first round compiles.
      for (let round = 0; round <= rounds; round += 1) {
        const ours = await own(server, language, name, code);
        const theirs = await opened.run(code);
        if (round > 0) values.push(ours / theirs);
      }
      rows.push(atMostTimes(limit, whose, median(values), { what: `${TITLES[language]}, ${name}, metered`, who: `Belljar ÷ ${other.name}`, unit: "times", values }));
    }
  }
  return rows;
}

async function own(server: Connection, language: Peer["language"], name: string, code: string): Promise<number> {
  const outcome = await server.run(language, code);
  if (outcome.status !== "ok") throw new Error(`${name}: ${JSON.stringify(outcome.error)}`);
  return outcome.usage.wall_ms;
}
