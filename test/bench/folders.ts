import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../e2e/driver.ts";
import { realFolder } from "../host/mounts/mounted.ts";
import { atMostTimes, ratio, type Row } from "./rows.ts";

const LARGE_BYTES = 100_000_000;
const SMALL_FILES = 1_000;

/** What is measured, how many times the machine's own Python it may take, and the code. */
const WORKS = [
  ["a mounted file of 100 MB, read in Python", 3, "len(open(folder + '/large', 'rb').read())"],
  ["a mounted file of 100 MB, read in Python by 1 MB", 3, "sum(len(part) for part in iter(lambda f=open(folder + '/large', 'rb'): f.read(1_000_000), b''))"],
  ["1,000 small mounted files, read in Python", undefined, "sum(len(open(f'{folder}/small/{n}').read()) for n in range(1_000))"],
] as const;

/** What the door to a mounted folder costs, beside the same code in a Python of the machine's own. */
export async function measureFolders(rounds: number): Promise<readonly Row[]> {
  using folder = realFolder();
  writeFileSync(join(folder.path, "large"), Buffer.alloc(LARGE_BYTES, "0123456789abcdef"));
  mkdirSync(join(folder.path, "small"));
  for (let index = 0; index < SMALL_FILES; index += 1) writeFileSync(join(folder.path, "small", String(index)), "0123456789".repeat(100));
  await using server = await connect([`--allow-read=${folder.path}:/mnt/bench`, `--audit=${join(folder.path, "audit")}`]);
  const rows: Row[] = [];
  for (const [what, limit, work] of WORKS) {
    const timed = (place: string): string => `import time\nfolder = ${JSON.stringify(place)}\nbegan = time.perf_counter()\n${work}\nms = (time.perf_counter() - began) * 1_000\n`;
    const inside: number[] = [];
    const native: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { result } = await server.run("python", `${timed("/mnt/bench")}ms`);
      inside.push(Number(result));
      const own = spawnSync("python3", ["-c", `${timed(folder.path)}print(ms)`], { encoding: "utf8" });
      if (own.status === 0) native.push(Number(own.stdout));
    }
    const row: Row = { what, who: "Belljar, in a run", unit: "ms", values: inside };
    const machine: Row = { what, who: "the machine's own Python", unit: "ms", values: native };
    rows.push(limit === undefined ? row : atMostTimes(limit, machine.who ?? "", ratio(row, machine), row));
    if (native.length > 0) rows.push(machine);
  }
  return rows;
}
