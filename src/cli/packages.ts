import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { readPackages } from "../host/packages/inventory.ts";
import { GRANTS } from "../policy/grants.ts";
import { added, usage } from "../policy/sentences.ts";
import { EXIT, type Invocation } from "./command.ts";
import { parseCommandLine } from "./flags.ts";
import { misuse, refusal } from "./misuse.ts";
import { installNodeModules } from "./packages-npm.ts";
import { type LockedPackage, readLock, writeLock } from "./packages-lock.ts";
import { installPython } from "./packages-pip.ts";

const NPM = "npm:";

/** `belljar packages add NAME …`: fetches packages with the machine's own pip and npm into the folder of --packages. */
export async function packages({ args, env, stdout }: Invocation): Promise<number> {
  const line = parseCommandLine(args);
  const [action, ...names] = line.rest;
  if (action !== "add" || names.length === 0) throw misuse(added.usage());
  const given = line.values.get(GRANTS.packages.flag) ?? env["BELLJAR_PACKAGES"];
  if (given === undefined || given === "") throw misuse(usage.needsValue(`--${GRANTS.packages.flag}`));
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true });
  const lock = readLock(folder);
  // On the same file system, so that what is fetched is moved in at once.
  const work = mkdtempSync(join(folder, ".belljar-"));
  try {
    const python = names.filter((name) => !name.startsWith(NPM));
    const javascript = names.filter((name) => name.startsWith(NPM)).map((name) => name.slice(NPM.length));
    const fetched: LockedPackage[] = [];
    if (python.length > 0) {
      const target = join(work, "python");
      fetched.push(...(await installPython({ names: python, target, work, env })));
      for (const entry of readdirSync(target)) replace(join(target, entry), join(folder, entry), work);
    }
    if (javascript.length > 0) {
      const before = lock.filter(({ language }) => language === "javascript");
      const all = await installNodeModules({ names: javascript, before, work, env });
      refuseNative(work);
      fetched.push(...all);
      replace(join(work, "node_modules"), join(folder, "node_modules"), work);
    }
    writeLock(folder, [...lock.filter((one) => !fetched.some((other) => other.language === one.language && other.name === one.name)), ...fetched]);
    stdout.write(`${fetched.map(({ name, version }) => added.package(name, version)).join("\n")}\n${added.use(folder)}\n`);
    return EXIT.ok;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What was there goes into the work folder, which is removed. */
function replace(from: string, to: string, work: string): void {
  const aside = join(mkdtempSync(join(work, "old-")), "it");
  try {
    renameSync(to, aside);
  } catch {
    // Nothing was there.
  }
  renameSync(from, to);
}

function refuseNative(work: string): void {
  const refused = readPackages(work).refused.find(({ language }) => language === "javascript");
  if (refused !== undefined) throw refusal(added.native(refused.name, refused.reason));
}
