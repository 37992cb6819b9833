import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../e2e/driver.ts";
import type { Language } from "./peers.ts";
import type { Row } from "./rows.ts";

/** One whole line of `--profile=on` on standard error. */
const LINE = /^belljar: call \d+ took (?<whole>[\d.]+) ms: (?<stages>.*)\n/gm;
const WARM_UP_CALLS = 100;
const TITLES = { python: "Python", javascript: "JavaScript" } as const;

/** The milliseconds of each call and of its stages, in their order, of what a server with the switch has told. */
export function readProfile(stderr: string): readonly ReadonlyMap<string, number>[] {
  return [...stderr.matchAll(LINE)].map(({ groups }) => {
    const stages = [...(groups?.["stages"] ?? "").matchAll(/([a-z ]+?) ([\d.]+)(?:, |$)/g)];
    return new Map([...stages.map(([, name = "", ms]): [string, number] => [name.trim(), Number(ms)]), ["the whole in the server", Number(groups?.["whole"])]]);
  });
}

/** Where the time of a call that does next to nothing goes, as the server tells it with `--profile=on`. */
export async function stages(calls: number): Promise<readonly Row[]> {
  await using server = await connect(["--profile=on"]);
  const rows: Row[] = [];
  await Promise.all([server.run("python", "1"), server.run("javascript", "1")]);
  await sleep(3_000);
  for (const language of ["python", "javascript"] as const) {
    const profile: ReadonlyMap<string, number>[] = [];
    for (let call = -WARM_UP_CALLS; call < calls; call += 1) {
      await server.run(language, "1 + 1");
      if (call < 0 || (call + 1) % 20 !== 0) continue;
      // The switch tells a call once its answer is on its way; the driver keeps only the end of standard error.
      await sleep(20);
      profile.push(...readProfile(server.stderr()).slice(-20));
    }
    rows.push(...rowsOf(language, profile));
  }
  return rows;
}

function rowsOf(language: Language, profile: readonly ReadonlyMap<string, number>[]): readonly Row[] {
  const names = [...(profile[0]?.keys() ?? [])];
  return names.map((what) => ({ what: `${TITLES[language]}: ${what}`, who: "Belljar", unit: "ms", values: profile.flatMap((stages) => stages.get(what) ?? []) }));
}
