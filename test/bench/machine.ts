import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { BINARY } from "../../build/paths.ts";
import manifest from "../../package.json" with { type: "json" };
import { descendants } from "../e2e/driver.ts";

/** Milliseconds from a start of this Node to the first byte of a program that only prints. */
export function bareStart(): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ["-e", "process.stdout.write('x')"], { env: {}, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve) => child.stdout.once("data", () => resolve(performance.now() - started)));
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Megabytes of a process and all it started, by a field of Linux's own account. */
export function memory(pid: number, field: "Pss" | "Pss_Anon" | "Pss_File" = "Pss"): number {
  const ofOne = (id: number): number => {
    const text = readFileSync(`/proc/${String(id)}/smaps_rollup`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? NaN) / 1_000;
  };
  return [pid, ...descendants(pid)].reduce((sum, id) => sum + ofOne(id), 0);
}

export function binaryMegabytes(): number {
  return statSync(BINARY).size / 1e6;
}

/** Megabytes of the file as `xz -6` packs it, by all cores; undefined where there is no xz. */
export async function archiveMegabytes(): Promise<number | undefined> {
  const child = spawn("xz", ["-6", "-T0", "--stdout", BINARY], { stdio: ["ignore", "pipe", "inherit"] });
  let bytes = 0;
  child.stdout.on("data", (part: Buffer) => (bytes += part.length));
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  child.once("error", () => resolve(undefined)).once("close", (code) => resolve(code === 0 ? bytes / 1e6 : undefined));
  return promise;
}

/** What was measured, and where; `binary` tells one build from another. */
export function setting(binary: string): string {
  const [cpu] = cpus();
  const machine = `${process.platform} ${process.arch}, ${String(availableParallelism())} cores of ${cpu?.model.trim() ?? "an unknown kind"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory`;
  return `Belljar ${manifest.version} (${binary}) on Node ${process.versions.node}, ${machine}, ${new Date().toISOString().slice(0, 10)}`;
}
