/** Deep equality as node:assert has it; loose equality compares primitives by `==` and ignores prototypes. */
export function isDeepEqual(a: unknown, b: unknown, strict: boolean, seen: [object, object][] = []): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) {
    // eslint-disable-next-line eqeqeq -- what loose deep equality is
    return !strict && !isObject(a) && !isObject(b) && (a == b || (a !== a && b !== b));
  }
  if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (seen.some(([one, other]) => one === a && other === b)) return true;
  seen.push([a, b]);
  try {
    return isSameKind(a, b, strict, seen) && haveSameKeys(a, b, strict, seen);
  } finally {
    seen.pop();
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** What is inside an object beside its properties. */
function isSameKind(a: object, b: object, strict: boolean, seen: [object, object][]): boolean {
  if (typeof a === "function" || typeof b === "function") return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b) && a.lastIndex === b.lastIndex;
  if (a instanceof Error && b instanceof Error && (a.name !== b.name || a.message !== b.message)) return false;
  if (isBoxed(a) && isBoxed(b)) return Object.is(a.valueOf(), b.valueOf());
  if (a instanceof ArrayBuffer && b instanceof ArrayBuffer) return isDeepEqual(new Uint8Array(a), new Uint8Array(b), strict, seen);
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => (b.has(key) ? isDeepEqual(value, b.get(key), strict, seen) : findIn(b, [key, value], strict, seen)));
  }
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((item) => b.has(item) || findIn(b, item, strict, seen));
  if (a instanceof WeakMap || a instanceof WeakSet || a instanceof Promise) return false;
  return true;
}

function findIn(items: Iterable<unknown>, wanted: unknown, strict: boolean, seen: [object, object][]): boolean {
  for (const item of items) if (isDeepEqual(item, wanted, strict, seen)) return true;
  return false;
}

function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt || value instanceof Symbol;
}

function haveSameKeys(a: object, b: object, strict: boolean, seen: [object, object][]): boolean {
  const keys = (value: object): PropertyKey[] =>
    Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key) && (strict || typeof key === "string"));
  const mine = keys(a);
  if (mine.length !== keys(b).length) return false;
  return mine.every((key) => Object.prototype.propertyIsEnumerable.call(b, key) && isDeepEqual(Reflect.get(a, key), Reflect.get(b, key), strict, seen));
}
