/** What the language itself brings, as it was before any code ran; by holder. */
const originals: (readonly [holder: object, properties: readonly (readonly [key: PropertyKey, property: PropertyDescriptor])[]])[] = [];
const seen = new Set<unknown>();
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** JSON text of a value; the code's own JSON.stringify may be another by then. */
export const { stringify } = JSON;

/** Remembers an object and, but for the global one, all that it leads to. */
function remember(value: unknown): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  seen.add(value);
  const properties = ownKeys(value).flatMap((key) => {
    const property = getOwnPropertyDescriptor(value, key);
    return property?.configurable === true ? [[key, property] as const] : [];
  });
  originals.push([value, properties]);
  for (const [, property] of properties) remember(property.value);
  remember(getPrototypeOf(value));
}

/** Remembers the language's objects; called once, before any code of the user's. */
export function rememberIntrinsics(): void {
  remember(globalThis);
  for (const made of [[].values(), new Map().values(), new Set().values(), ""[Symbol.iterator](), (function* () {})(), (async () => {})()]) {
    remember(getPrototypeOf(made));
  }
}

/** Gives the language's objects their properties again, so that a report can be made; what the code added stays. */
export function repairIntrinsics(): void {
  for (const [holder, properties] of originals) {
    for (const [key, property] of properties) {
      try {
        defineProperty(holder, key, property);
      } catch {
        // The code has frozen it, as it was or not.
      }
    }
  }
}
