interface Original {
  readonly holder: object;
  readonly key: PropertyKey;
  readonly property: PropertyDescriptor;
}

/** What the language itself brings, as it was before any code ran. */
const originals: Original[] = [];
/** The same by column; an accessor has a value that no property is equal to. */
const holders: Record<PropertyKey, unknown>[] = [];
const keys: PropertyKey[] = [];
const values: unknown[] = [];
const NEVER = Symbol("never");
const seen = new Set<unknown>();
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
const { deleteProperty, ownKeys } = Reflect;

/** JSON text of a value, and back; the code's own JSON may be another by then. */
export const { parse, stringify } = JSON;

/** A property as it is; what the code adds to all objects is no part of its description. */
function propertyOf(holder: object, key: PropertyKey): PropertyDescriptor | undefined {
  const property = getOwnPropertyDescriptor(holder, key);
  return property === undefined ? undefined : setPrototypeOf(property, null);
}

/** Remembers an object and all that it leads to. */
function remember(value: unknown): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of ownKeys(value)) {
    const property = propertyOf(value, key);
    if (property?.configurable === true) {
      originals.push({ holder: value, key, property });
      holders.push(Object(value));
      keys.push(key);
      values.push("value" in property ? property.value : NEVER);
    }
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
  sizes = shared.map((holder) => ownKeys(holder).length);
}

/** Code that may change what the language brings; code that does so by other ways is served by `repairIntrinsics` alone. */
const CHANGES = /prototype|__proto__|PrototypeOf|PropertyNames|ownKeys|definePropert|delete\b|\b(?:JSON|Math|Object|Reflect|Array|String|Number|Promise|Date|RegExp|Map|Set|Error|Symbol)\s*(?:\.\s*\w+|\[[^\]]*\])\s*=(?!=)/;
const test = RegExp.prototype.test;
const call = Reflect.apply;
/** What code adds to these is seen everywhere. */
const shared = [Object, Array, String, Number, Boolean, Function, Error, Promise, Map, Set, RegExp].map((kind): object => kind.prototype);
let sizes: readonly number[] = [];
/** Code that may put a getter where there was a value: a look at the value would run it, for as long as it likes. */
const GETTERS = /define/i;
let isWatched = false;
let mayRunCode = false;
let depth = 0;
/** What the code has made of the language's objects, while they are as they were. */
let changes: { readonly holder: object; readonly key: PropertyKey; readonly property: PropertyDescriptor | undefined }[] = [];

/** Looks whether code that is about to run may change what the language brings. */
export function watch(code: string): void {
  isWatched ||= call(test, CHANGES, [code]);
  mayRunCode ||= call(test, GETTERS, [code]);
}

/** Runs a part of the prelude with the language's objects as they were, then gives them back as the code has made them. */
export function apart<T>(work: () => T): T {
  if (!isWatched || depth > 0) return work();
  depth = 1;
  putAside();
  try {
    return work();
  } finally {
    giveBack();
    depth = 0;
  }
}

function putAside(): void {
  let count = 0;
  const found: typeof changes = [];
  const change = (holder: object, key: PropertyKey, property: PropertyDescriptor | undefined): void => {
    const now = propertyOf(holder, key);
    try {
      if (property !== undefined) defineProperty(holder, key, property);
      else if (!deleteProperty(holder, key)) return;
      // Not by `push` or an index, either of which the code may have changed.
      defineProperty(found, count++, setPrototypeOf({ value: { holder, key, property: now } }, null));
    } catch {
      // The code has frozen it.
    }
  };
  for (let index = 0; index < shared.length; index += 1) {
    const holder = shared[index];
    if (holder === undefined || ownKeys(holder).length === sizes[index]) continue;
    const own = ownKeys(holder);
    for (let at = 0; at < own.length; at += 1) {
      const key = own[at];
      if (key !== undefined && !known(holder, key)) change(holder, key, undefined);
    }
  }
  for (let index = firstChanged(0); index < originals.length; index = firstChanged(index + 1)) {
    const original = originals[index];
    if (original === undefined) continue;
    const { holder, key, property } = original;
    const now = propertyOf(holder, key);
    if (now?.value !== property.value || now?.get !== property.get || now?.set !== property.set || now === undefined) change(holder, key, property);
  }
  changes = found;
}

/**
 * The first of the originals from an index on that may not be as it was. Of those that have a value a look at that is
 * enough, and far cheaper than a description; a property that runs code now, and whatever it throws, is another one.
 */
function firstChanged(from: number): number {
  let index = from;
  if (mayRunCode) return index;
  try {
    // Nothing else in this loop: it is most of what a watched turn costs.
    while (index < originals.length && holders[index]?.[keys[index] ?? ""] === values[index]) index += 1;
  } catch {
    // This one.
  }
  return index;
}

function known(holder: object, key: PropertyKey): boolean {
  for (let index = 0; index < originals.length; index += 1) if (originals[index]?.holder === holder && originals[index]?.key === key) return true;
  return getOwnPropertyDescriptor(holder, key)?.configurable !== true;
}

function giveBack(): void {
  for (let index = changes.length - 1; index >= 0; index -= 1) {
    const change = changes[index];
    if (change === undefined) continue;
    try {
      if (change.property === undefined) deleteProperty(change.holder, change.key);
      else defineProperty(change.holder, change.key, change.property);
    } catch {
      // What can't be given back stays as the language has it.
    }
  }
  changes = [];
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
