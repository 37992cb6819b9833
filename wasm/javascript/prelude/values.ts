import { proxyTarget, show } from "./inspect.ts";
import { stringify } from "./intrinsics.ts";
import { Blob, blobBytes } from "./web/blob.ts";
import { urlText } from "./web/url.ts";

/** Caps of a result: nesting, items of one container, values in all, characters of JSON. */
const DEPTH = 64;
const BREADTH = 10_000;
const VALUES = 200_000;
const LENGTH = 1_048_576;
/** Bytes of binary data that a result may carry. */
const BYTES = 262_144;

/** A value as JSON text by the table of the contract, and what was cut. */
export interface Json {
  readonly json: string;
  readonly notes: readonly string[];
}

interface Walk {
  readonly path: object[];
  readonly notes: Set<string>;
  values: number;
  length: number;
}

/** Beyond this a bigint takes too long to be told: about 60,000 digits. */
const LARGEST = 1n << 200_000n;

/** How many digits a bigint has, when those are too many; only a radix of a power of two is told in linear time. */
export function hugeDigits(value: bigint): string | undefined {
  if (-LARGEST < value && value < LARGEST) return undefined;
  const bits = value.toString(16).length * 4;
  return `<bigint of about ${Math.round(bits * Math.LOG10E * Math.LN2)} digits>`;
}

/** Never throws, never calls `toJSON`, never loops over holes. */
export function toJson(value: unknown): Json {
  const walk: Walk = { path: [], notes: new Set(), values: 0, length: 0 };
  const json = write(value, walk);
  return { json, notes: [...walk.notes] };
}

function write(value: unknown, walk: Walk): string {
  walk.values += 1;
  const text = writeAny(value, walk);
  walk.length += text.length;
  return text;
}

function writeAny(value: unknown, walk: Walk): string {
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "number":
      if (Object.is(value, -0)) return "0";
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    case "bigint":
      return quote(hugeDigits(value) ?? String(value), walk);
    case "string":
      return quote(value, walk);
    case "symbol":
    case "function":
      return quote(show(value), walk);
  }
  if (value === null || value === undefined) return "null";
  if (walk.path.includes(value)) return '"<cycle>"';
  if (walk.path.length >= DEPTH) {
    walk.notes.add(`The result was cut at ${DEPTH} levels of nesting.`);
    return quote(`… nested deeper than ${DEPTH} levels`, walk);
  }
  walk.path.push(value);
  try {
    const target = proxyTarget(value);
    if (target !== undefined) return target === null ? '"<revoked Proxy>"' : write(target, walk);
    return writeObject(value, walk);
  } catch (error) {
    return quote(`<cannot be read: ${error instanceof Error ? show(error.message) : "it throws"}>`, walk);
  } finally {
    walk.path.pop();
  }
}

function quote(text: string, walk: Walk): string {
  const room = Math.max(0, LENGTH - walk.length);
  if (text.length <= room) return stringify(text.toWellFormed());
  walk.notes.add(`The result was cut at ${LENGTH.toLocaleString()} characters.`);
  return stringify(`${text.slice(0, room).toWellFormed()}… [${text.length - room} more characters]`);
}

function writeObject(value: object, walk: Walk): string {
  if (Array.isArray(value)) return writeArray(value, walk);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '"Invalid Date"' : stringify(value.toISOString());
  if (value instanceof Map) return writePairs(value.entries(), value.size, walk);
  if (value instanceof Set) return writeItems(value.values(), value.size, walk);
  if (value instanceof ArrayBuffer) return writeBytes(new Uint8Array(value), walk);
  if (value instanceof DataView) return writeBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), walk);
  if (isTypedArray(value)) return writeItems(value.values(), value.length, walk);
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return write(value.valueOf(), walk);
  if (value instanceof Promise) return quote("<Promise, not awaited>", walk);
  if (value instanceof Error || value instanceof RegExp || value instanceof WeakMap || value instanceof WeakSet) {
    return quote(value instanceof Error ? String(Error.prototype.toString.call(value)) : show(value), walk);
  }
  const text = urlText(value);
  if (text !== undefined) return quote(text, walk);
  if (value instanceof Blob) return writeBytes(blobBytes(value), walk);
  if (isLibraryIterator(value)) return writeItems(value, undefined, walk);
  const keys = Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  return writePairs(readEach(value, keys), keys.length, walk);
}

function* readEach(value: object, keys: readonly PropertyKey[]): Generator<[unknown, unknown]> {
  for (const key of keys) {
    let item: unknown;
    try {
      item = Reflect.get(value, key);
    } catch (error) {
      item = `<getter throws: ${error instanceof Error ? error.message : show(error)}>`;
    }
    yield [key, item];
  }
}

/** Arrays: a hole is null while there are few; a sparse array gives what it has and says so. */
function writeArray(value: readonly unknown[], walk: Walk): string {
  const length = value.length;
  if (length <= BREADTH) return writeItems(value.values(), length, walk);
  const head = Array.from({ length: BREADTH }, (_, index) => index);
  if (head.some((index) => !(index in value))) {
    const keys = Object.keys(value).slice(0, BREADTH + 1);
    walk.notes.add(`The result is a sparse array of length ${length}: its items are shown by index.`);
    return writePairs(readEach(value, keys), keys.length, walk);
  }
  return writeItems(value.values(), length, walk);
}

function writeItems(items: Iterable<unknown>, size: number | undefined, walk: Walk): string {
  const parts: string[] = [];
  let count = 0;
  for (const item of items) {
    if (count >= BREADTH || isFull(walk)) {
      parts.push(cutMark(size === undefined ? undefined : size - count, "items", walk));
      break;
    }
    // The common case, without the walk's bookkeeping for each.
    if (typeof item === "number" && Number.isFinite(item)) {
      walk.values += 1;
      walk.length += 8;
      parts.push(Object.is(item, -0) ? "0" : `${item}`);
    } else parts.push(write(item, walk));
    count += 1;
  }
  return `[${parts.join(",")}]`;
}

function writePairs(pairs: Iterable<readonly [unknown, unknown]>, size: number, walk: Walk): string {
  const parts: string[] = [];
  let count = 0;
  for (const [key, item] of pairs) {
    if (count >= BREADTH || isFull(walk)) {
      parts.push(`"…":${cutMark(size - count, "keys", walk)}`);
      break;
    }
    const name = typeof key === "string" ? key : typeof key === "object" && key !== null ? show(key) : String(key);
    parts.push(`${quote(name, walk)}:${write(item, walk)}`);
    count += 1;
  }
  return `{${parts.join(",")}}`;
}

function writeBytes(bytes: Uint8Array, walk: Walk): string {
  const data = bytes.subarray(0, BYTES).toBase64();
  if (bytes.length <= BYTES) return `{"$bytes":"${data}"}`;
  walk.notes.add(`The result's ${bytes.length} bytes were cut to ${BYTES}.`);
  return `{"$bytes":"${data}","…":${cutMark(bytes.length - BYTES, "bytes", walk)}}`;
}

function isFull(walk: Walk): boolean {
  return walk.values >= VALUES || walk.length >= LENGTH;
}

function cutMark(left: number | undefined, what: string, walk: Walk): string {
  const count = left === undefined ? "" : `${String(left).replace(/\B(?=(\d{3})+$)/g, ",")} `;
  walk.notes.add(`The result was cut: … ${count}more ${what}.`);
  return stringify(`… ${count}more ${what}`);
}

type TypedArray = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array | BigInt64Array;
const typedArray: unknown = Object.getPrototypeOf(Uint8Array);

function isTypedArray(value: object): value is TypedArray {
  return typeof typedArray === "function" && value instanceof typedArray;
}

const iteratorPrototypes = [[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator]()].map((iterator) => Object.getPrototypeOf(iterator));

/** An iterator that the language itself made: finite, and of no code of the user's. */
function isLibraryIterator(value: object): value is Iterable<unknown> {
  return iteratorPrototypes.includes(Object.getPrototypeOf(value));
}
