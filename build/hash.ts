import { createHash, hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.ts";

/** Hex sha256 of bytes. */
export function sha256(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** Hash of the content and the names of files and folders, given relative to the checkout; a missing one counts as such. */
export function hashPaths(paths: readonly string[]): string {
  const sum = createHash("sha256");
  for (const path of filesOf(paths)) sum.update(`${path}\0${sha256(readFileSync(join(ROOT, path)))}\n`);
  return sum.digest("hex");
}

/** Name and size of each file: tells at once that an output is gone or cut short. */
export function sizesOf(paths: readonly string[]): string {
  return filesOf(paths)
    .map((path) => `${path} ${statSync(join(ROOT, path)).size}`)
    .join("\n");
}

function filesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const at = join(ROOT, path);
    if (!existsSync(at)) return [];
    if (!statSync(at).isDirectory()) return [path];
    return readdirSync(at)
      .sort()
      .flatMap((entry) => filesOf([`${path}/${entry}`]));
  });
}
