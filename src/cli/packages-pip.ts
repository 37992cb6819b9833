import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import * as z from "zod";
import { assetText } from "../engine/assets.ts";
import { added } from "../policy/sentences.ts";
import { refusal } from "./misuse.ts";
import type { LockedPackage } from "./packages-lock.ts";
import { type Ran, runFirst } from "./packages-run.ts";

const PIPS = [["python3", "-m", "pip"], ["python", "-m", "pip"], ["py", "-m", "pip"], ["pip3"], ["pip"]] as const;

/** The folder of wheels that stand for what is inside. */
const STAND_INS = "inside-the-guest";

/** What pip says it has installed. */
const reportSchema = z.object({
  install: z.array(
    z.object({
      metadata: z.object({ name: z.string(), version: z.string() }),
      download_info: z.object({ url: z.string(), archive_info: z.object({ hashes: z.record(z.string(), z.string()).default({}) }).optional() }),
    }),
  ),
});

export interface PipRequest {
  /** Requirements as pip takes them: `name`, `name==1.2`, `name[extra]`. */
  readonly names: readonly string[];
  /** Where they are unpacked to. */
  readonly target: string;
  /** A folder for what is needed meanwhile. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Installs wheels that any machine can run, and all they stand on but what is inside the guest already.
 * @throws BelljarError REFUSED that says why one can't be used.
 */
export async function installPython({ names, target, work, env }: PipRequest): Promise<LockedPackage[]> {
  const inside = z.record(z.string(), z.string()).parse(JSON.parse(assetText("versions.json")));
  const version = /^\d+\.\d+/.exec(inside["python"] ?? "")?.[0] ?? "3";
  const standIns = join(work, STAND_INS);
  writeStandIns(standIns, inside);
  const report = join(work, "report.json");
  mkdirSync(target, { recursive: true });
  const anyMachine = ["--platform=any", "--implementation=py", "--abi=none", `--python-version=${version}`];
  const common = ["install", "--quiet", "--disable-pip-version-check", "--no-input", "--only-binary=:all:", `--report=${report}`];
  const ran = await runFirst(PIPS, [...common, "--no-compile", `--target=${target}`, `--find-links=${standIns}`, ...anyMachine, "--", ...names], env);
  if (ran === undefined) throw refusal(added.noClient("pip"));
  if (ran.code !== 0) throw refusal(await reasonOf(ran, names, [...common, "--dry-run", "--ignore-installed", "--no-deps"], report, env));
  const installed = readReport(report);
  const own = installed.filter(({ url }) => !url.includes(STAND_INS));
  for (const { name, version: at } of installed.filter(({ url }) => url.includes(STAND_INS))) {
    rmSync(join(target, `${name.replaceAll("-", "_")}-${at}.dist-info`), { recursive: true, force: true });
  }
  rmSync(join(target, "bin"), { recursive: true, force: true });
  return own.map(({ name, version: at, hash }) => ({ name, version: at, language: "python", hash }));
}

/** A package that is there for some machines alone is told by the name of its wheel. */
async function reasonOf(ran: Ran, names: readonly string[], dryRun: readonly string[], report: string, env: NodeJS.ProcessEnv): Promise<string> {
  for (const name of names) {
    const tried = await runFirst(PIPS, [...dryRun, "--", name], env);
    const wheel = tried?.code === 0 ? decodeURIComponent(readReport(report)[0]?.url.split("/").at(-1) ?? "") : "";
    if (wheel !== "" && !wheel.includes("-none-any.whl")) return added.native(name, added.nativeWheel(wheel));
  }
  return added.failed("pip", ran.said);
}

function readReport(file: string): { readonly name: string; readonly version: string; readonly url: string; readonly hash: string }[] {
  return reportSchema.parse(JSON.parse(readFileSync(file, "utf8"))).install.map(({ metadata: { name, version }, download_info: { url, archive_info } }) => {
    return { name, version, url, hash: `sha256-${archive_info?.hashes["sha256"] ?? "unknown"}` };
  });
}

/** Empty wheels of what is inside the guest, so that pip takes it for what others stand on. */
function writeStandIns(folder: string, inside: Readonly<Record<string, string>>): void {
  mkdirSync(folder);
  for (const [name, version] of Object.entries(inside)) {
    if (!/^\d[\w.]*$/.test(version)) continue;
    const stem = `${name.replaceAll("-", "_")}-${version}`;
    const files = {
      [`${stem}.dist-info/METADATA`]: strToU8(`Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`),
      [`${stem}.dist-info/WHEEL`]: strToU8("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
      [`${stem}.dist-info/RECORD`]: strToU8(""),
    };
    writeFileSync(join(folder, `${stem}-py3-none-any.whl`), zipSync(files));
  }
}
