interface Original {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly property: PropertyDescriptor;
}

/** What the language itself brings, as it was before any code ran. */
const originals: Original[] = [];
const seen = new Set<unknown>();
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** JSON text of a value; the code's own JSON.stringify may be another by then. */
export const { stringify } = JSON;

/** Remembers an object and all that it leads to. */
function remember(value: unknown): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of ownKeys(value)) {
    const property = getOwnPropertyDescriptor(value, key);
    if (property?.configurable === true) originals.push({ holder: value, key, property });
    remember(property?.value);
  }
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
  // By index: how arrays are iterated may be what is broken.
  for (let index = 0; index < originals.length; index += 1) {
    const original = originals[index];
    try {
      if (original !== undefined) defineProperty(original.holder, original.key, original.property);
    } catch {
      // The code has frozen it, as it was or not.
    }
  }
}
