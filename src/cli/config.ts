import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../base/errors.ts";
import { usage } from "../policy/sentences.ts";
import { CONFIG, FLAG_ROWS, type FlagRow } from "./flag-rows.ts";
import { misuse } from "./misuse.ts";

/** Flags that a file can hold: all but the one that names it. */
const ROWS: readonly FlagRow[] = FLAG_ROWS.filter(({ flag }) => flag !== CONFIG.flag);
/** What editors look for beside the flags. */
const SCHEMA_KEY = "$schema";

/**
 * The flags that a config file holds, as they would be given; paths in it are relative to its own folder.
 * @throws BelljarError BAD_ARGUMENT when it can't be read, or holds what no flag is.
 */
export function readConfig(file: string): ReadonlyMap<string, string> {
  const members = parse(file);
  const known = new Map(ROWS.map((row) => [row.flag, row]));
  const unknown = Object.keys(members).filter((key) => key !== SCHEMA_KEY && !known.has(key));
  if (unknown.length > 0) throw misuse(usage.unknownKeys(file, unknown, [...known.keys()]));
  return new Map(
    Object.entries(members).flatMap(([key, value]) => {
      const row = known.get(key);
      return row === undefined ? [] : [[key, textOf(row, value, file)] as const];
    }),
  );
}

/** The JSON Schema of a config file. */
export function configSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Belljar's config file",
    description: "The flags of Belljar by their names. Flags of the command line and BELLJAR_* variables win over it.",
    type: "object",
    properties: { [SCHEMA_KEY]: { type: "string" }, ...Object.fromEntries(ROWS.map((row) => [row.flag, { description: row.words, ...schemaOf(row) }])) },
    additionalProperties: false,
  };
}

function schemaOf({ kind }: FlagRow): object {
  switch (kind.type) {
    case "number":
      return { type: "integer", minimum: kind.minimum, maximum: kind.maximum };
    case "choice":
      return { enum: kind.choices };
    case "text":
      return { type: "string" };
    case "list":
      return { type: "array", items: { type: "string" } };
  }
}

function parse(file: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw misuse(usage.badConfig(file, messageOf(error)));
  }
  throw misuse(usage.badConfig(file, "it is no JSON object"));
}

/** A value as the flag's text; what is out of range is refused with the flag's own words later. */
function textOf({ flag, kind }: FlagRow, value: unknown, file: string): string {
  const placed = (text: string): string => ("path" in kind && kind.path ? resolve(dirname(file), text) : text);
  if (kind.type === "number" && typeof value === "number") return String(value);
  if ((kind.type === "choice" || kind.type === "text") && typeof value === "string") return placed(value);
  if (kind.type === "list" && Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.map((item) => placed(item).replaceAll(",", ",,")).join(",");
  }
  const wanted = { number: "a number", choice: "a string", text: "a string", list: "an array of strings" }[kind.type];
  throw misuse(usage.wrongConfigValue(file, flag, wanted, value));
}
