import { readdirSync } from "node:fs";
import { join } from "node:path";

const NATIVE = /\.(?:so|pyd|dylib|dll|node)(?:\.\d+)*$|^binding\.gyp$/;
/** Paths that are told as they are: a model reads them. */
const PLAIN = /^[\w./+@~-]{1,120}$/;
/** So many names of one package are looked at. */
const MOST_NAMES = 20_000;

/** The first file beneath a folder that is code for one kind of machine; undefined when none is seen. */
export function findNative(folder: string, skip?: string): string | undefined {
  const todo = [""];
  let seen = 0;
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      seen += 1;
      if (seen > MOST_NAMES) return undefined;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== skip) todo.push(path);
      else if (NATIVE.test(entry.name)) return PLAIN.test(path) ? path : "a file with an odd name";
    }
  }
  return undefined;
}
