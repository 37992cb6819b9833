import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readLock } from "./lock.ts";
import { packageAt } from "./packages.ts";
import { WHEEL } from "./paths.ts";

/** A line of the wheel's manifest that names a part and its version; what begins with x- is about its own build. */
const PART = /^(?:package )?(?<name>(?!x-)[A-Za-z0-9_.-]+) (?<version>\d[^\s]*)$/;

/** Name and version of all that is sealed inside. */
export function versionsInside(): Record<string, string> {
  const { wheel: { name, version }, web } = readLock();
  const parts = readFileSync(join(WHEEL, "MANIFEST"), "utf8").split("\n").flatMap((line) => {
    const { groups } = PART.exec(line) ?? {};
    return groups === undefined ? [] : [[groups["name"] ?? "", groups["version"] ?? ""] as const];
  });
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    [name]: version,
    "componentize-qjs": packageAt("node_modules/componentize-qjs").version,
    ...Object.fromEntries([...parts, ...web.map((pin) => [pin.name, pin.version] as const)]),
  };
}
