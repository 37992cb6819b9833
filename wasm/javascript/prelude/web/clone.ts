import { Blob } from "./blob.ts";
import { DOMException } from "./exception.ts";

/** HTML Standard, section 2.7: StructuredSerialize and back, in one walk; transfer moves nothing here. */
export function structuredClone(value: unknown): unknown {
  return clone(value, new Map());
}

function refuse(value: unknown): never {
  const name = typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : String(value);
  throw new DOMException(`${name} could not be cloned.`, "DataCloneError");
}

function clone(value: unknown, seen: Map<object, object>): unknown {
  if (typeof value === "function" || typeof value === "symbol") refuse(value);
  if (typeof value !== "object" || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const fresh = shell(value, seen);
  seen.set(value, fresh);
  if (value instanceof Map && fresh instanceof Map) for (const [key, item] of [...value]) fresh.set(clone(key, seen), clone(item, seen));
  else if (value instanceof Set && fresh instanceof Set) for (const item of [...value]) fresh.add(clone(item, seen));
  else if (value instanceof Error) {
    if (Object.hasOwn(value, "cause")) Object.defineProperty(fresh, "cause", { value: clone(value.cause, seen), writable: true, configurable: true });
  } else if (Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]") {
    for (const key of Object.keys(value)) Reflect.set(fresh, key, clone(Reflect.get(value, key), seen));
  }
  return fresh;
}

/** An object of the same kind, still without what other objects it holds. */
function shell(value: object, seen: Map<object, object>): object {
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof Blob) return value;
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) return cloneView(value, seen);
  if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt) return Object(value.valueOf());
  if (value instanceof Error) return cloneError(value);
  if (Array.isArray(value)) return new Array(value.length);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) refuse(value);
  return {};
}

function cloneView(view: ArrayBufferView, seen: Map<object, object>): object {
  const buffer = clone(view.buffer, seen);
  const length = view instanceof DataView ? view.byteLength : Reflect.get(view, "length");
  const maker: unknown = view.constructor;
  return typeof maker === "function" ? Reflect.construct(maker, [buffer, view.byteOffset, length]) : refuse(view);
}

const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError } as const;

function cloneError(error: Error): Error {
  const [, kind = Error] = Object.entries(ERRORS).find(([name]) => name === error.name) ?? [];
  const fresh = new kind(error.message);
  Object.defineProperty(fresh, "stack", { value: error.stack, writable: true, configurable: true, enumerable: false });
  return fresh;
}
