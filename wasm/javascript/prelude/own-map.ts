/** A map whose methods are its own kind's: what the code does to `Map.prototype` does not reach it. */
export class OwnMap<K, V> extends Map<K, V> {}

for (const key of Reflect.ownKeys(Map.prototype)) {
  const property = Object.getOwnPropertyDescriptor(Map.prototype, key);
  if (key !== "constructor" && property !== undefined) Object.defineProperty(OwnMap.prototype, key, property);
}
