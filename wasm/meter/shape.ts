import * as entry from "./entry.ts";
import { type Spaces, valueType } from "./instruction.ts";
import { below, byte, type Cursor, refuse, u32 } from "./reader.ts";
import { open, SECTION, type Section } from "./sections.ts";

/** What of a module the pass has to know before it reads the code. */
export interface Shape extends Spaces {
  /** How many parameters each type has. */
  readonly parameters: readonly number[];
  /** Block type of what each type returns: 0x40 for nothing, a value type of one byte; undefined for any other. */
  readonly results: readonly (number | undefined)[];
  /** How many results each type has. */
  readonly resultCounts: readonly number[];
  readonly importedFunctions: number;
  readonly importedGlobals: number;
  /** Type index of each function that is imported, and of each that is defined in the module. */
  readonly importedTypes: readonly number[];
  readonly functionTypes: readonly number[];
  /** The globals defined in the module. */
  readonly definedGlobals: readonly entry.Global[];
  /** The memory defined in the module. */
  readonly memory?: entry.Limits;
  readonly exportNames: ReadonlySet<string>;
  /** Indices of the functions that something outside the code names: exports, tables, globals, the start. */
  readonly taken: Set<number>;
}

/** Reads `vec(item)` to the end of its section; `read` is told how many there are. */
function items<T>(section: Section | undefined, read: (cursor: Cursor, count: number) => T): T[] {
  if (section === undefined) return [];
  const cursor = open(section);
  const found: T[] = [];
  const count = u32(cursor);
  for (let left = count; left > 0; left--) found.push(read(cursor, count));
  if (cursor.at !== cursor.end) refuse(cursor, "more bytes than items");
  return found;
}

function valueTypes(cursor: Cursor, types: number): number {
  const count = u32(cursor);
  for (let left = count; left > 0; left--) valueType(cursor, types);
  return count;
}

function functionType(cursor: Cursor, types: number): { parameters: number; results: number; result: number | undefined } {
  const form = byte(cursor);
  if (form !== 0x60) refuse(cursor, `type form 0x${form.toString(16)} is not supported`, cursor.at - 1);
  const parameters = valueTypes(cursor, types);
  const from = cursor.at;
  const results = valueTypes(cursor, types);
  const result = results === 0 ? 0x40 : results === 1 && cursor.at === from + 2 ? cursor.bytes[from + 1] : undefined;
  return { parameters, results, result };
}

/**
 * Reads what surrounds the code.
 * @throws BAD_MODULE for what is malformed, and for more than one memory, 64-bit memories and garbage-collected types
 */
export function readShape(sections: readonly Section[]): Shape {
  const find = (id: number): Section | undefined => sections.find((section) => section.id === id);
  const signatures = items(find(SECTION.type), functionType);
  const parameters = signatures.map((one) => one.parameters);
  const results = signatures.map((one) => one.result);
  const types = parameters.length;
  const imports = items(find(SECTION.import), (cursor) => entry.imported(cursor, types));
  const count = (wanted: number): number => imports.filter(({ kind }) => kind === wanted).length;
  const functionTypes = items(find(SECTION.function), (cursor) => below(cursor, types, "type"));
  const importedGlobals = count(entry.KIND.global);
  // A constant may read the globals before it, all of which are imports or stand before it in their section.
  const taken = new Set<number>();
  const importedFunctions = count(entry.KIND.function);
  const functions = importedFunctions + functionTypes.length;
  const constants = { types, functions, tables: 0, globals: importedGlobals, taken };
  const tables = count(entry.KIND.table) + items(find(SECTION.table), (cursor) => entry.table(cursor, constants)).length;
  const [memory, ...further] = items(find(SECTION.memory), entry.limits);
  const memories = count(entry.KIND.memory) + further.length + (memory === undefined ? 0 : 1);
  const culprit = find(SECTION.memory) ?? find(SECTION.import);
  if (culprit !== undefined && memories > 1) refuse(culprit.body, "more than one memory is not supported");
  items(find(SECTION.tag), (cursor) => entry.tag(cursor, types));
  const definedGlobals = items(find(SECTION.global), (cursor, defined) =>
    entry.global(cursor, { ...constants, globals: importedGlobals + defined }),
  );
  const known = { types, functions, tables, globals: importedGlobals + definedGlobals.length, taken };
  const exportNames = new Set(items(find(SECTION.export), (cursor) => entry.exported(cursor, known)));
  const start = find(SECTION.start);
  if (start !== undefined) taken.add(below(open(start), functions, "function"));
  items(find(SECTION.element), (cursor) => entry.element(cursor, known));
  items(find(SECTION.data), (cursor) => entry.data(cursor, known));
  return {
    ...known,
    parameters,
    results,
    resultCounts: signatures.map((one) => one.results),
    importedFunctions,
    importedGlobals,
    importedTypes: imports.flatMap(({ type }) => type ?? []),
    functionTypes,
    memories,
    definedGlobals,
    ...(memory === undefined ? {} : { memory }),
    exportNames,
  };
}
