import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { added } from "../policy/sentences.ts";
import { refusal } from "./misuse.ts";
import type { LockedPackage } from "./packages-lock.ts";
import { runFirst } from "./packages-run.ts";

const NPMS = [["npm"], ["npm.cmd"]] as const;

/** npm's own account of what is in `node_modules`. */
const treeSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })) });

export interface NpmRequest {
  /** Packages as npm takes them: `name`, `name@1.2`, a path. */
  readonly names: readonly string[];
  /** What is there already, and is to stay. */
  readonly before: readonly LockedPackage[];
  /** Where `node_modules` is made. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Installs packages and all they stand on, running no script of theirs.
 * @throws BelljarError REFUSED with what npm said.
 */
export async function installNodeModules({ names, before, work, env }: NpmRequest): Promise<LockedPackage[]> {
  const stay = before.filter(({ name }) => !names.some((each) => each === name || each.startsWith(`${name}@`))).map(({ name, version }) => `${name}@${version}`);
  const flags = ["install", `--prefix=${work}`, "--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev", "--loglevel=error"];
  const ran = await runFirst(NPMS, [...flags, "--", ...stay, ...names], env);
  if (ran === undefined) throw refusal(added.noClient("npm"));
  if (ran.code !== 0) throw refusal(added.failed("npm", ran.said));
  const { packages } = treeSchema.parse(JSON.parse(readFileSync(join(work, "node_modules/.package-lock.json"), "utf8")));
  return Object.entries(packages).flatMap(([path, { version, integrity }]) => {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    return name === undefined || version === undefined ? [] : [{ name, version, language: "javascript" as const, hash: integrity ?? "unknown" }];
  });
}
