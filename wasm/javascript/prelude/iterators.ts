/** Items that are looked at of an iterator. */
const MOST = 101;

/** What was taken from an iterator to look at it, and is still to be given out. */
const taken = new WeakMap<object, IteratorResult<unknown>[]>();

/**
 * The items to come of an iterator of a Map or Set, for the library that shows values. The engine can't look
 * without taking, so the iterator is made to give out what was taken first.
 */
export function previewEntries(iterator: Iterator<unknown>): unknown[] {
  const known = taken.get(iterator);
  if (known !== undefined) return known.flatMap((item) => (item.done ? [] : [item.value]));
  const items: IteratorResult<unknown>[] = [];
  taken.set(iterator, items);
  const next = iterator.next;
  while (items.length < MOST && items.at(-1)?.done !== true) items.push(Reflect.apply(next, iterator, []));
  const shown = items.flatMap((item) => (item.done ? [] : [item.value]));
  Object.defineProperty(iterator, "next", {
    value: () => items.shift() ?? Reflect.apply(next, iterator, []),
    writable: true,
    configurable: true,
    enumerable: false,
  });
  return shown;
}
