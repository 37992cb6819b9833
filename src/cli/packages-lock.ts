import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { LANGUAGES } from "../policy/limits.ts";
import { added } from "../policy/sentences.ts";
import { misuse } from "./misuse.ts";

/** The file beside the packages that says what was fetched. */
const LOCK_FILE = "belljar-packages.lock.json";

const packageSchema = z.strictObject({ name: z.string(), version: z.string(), language: z.enum(LANGUAGES), hash: z.string() });
const lockSchema = z.strictObject({ packages: z.array(packageSchema).readonly() });

/** A fetched package; `hash` is its archive's, with the name of the function before it. */
export type LockedPackage = z.infer<typeof packageSchema>;

/** @throws BelljarError BAD_ARGUMENT when there is a lock that is none. */
export function readLock(folder: string): readonly LockedPackage[] {
  const file = join(folder, LOCK_FILE);
  if (!existsSync(file)) return [];
  try {
    return lockSchema.parse(JSON.parse(readFileSync(file, "utf8"))).packages;
  } catch (cause) {
    throw misuse(added.badLock(file, messageOf(cause)));
  }
}

/** Sorted by language and name, so that a change shows as one. */
export function writeLock(folder: string, packages: readonly LockedPackage[]): void {
  const key = ({ language, name }: LockedPackage): string => `${language} ${name}`;
  const sorted = packages.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  writeFileSync(join(folder, LOCK_FILE), `${JSON.stringify({ packages: sorted }, undefined, 2)}\n`);
}
