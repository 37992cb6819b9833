/** Rounds, and the bytes of each, by which free memory is overwritten with zeros. */
const ROUNDS = [[512, 1_024], [16, 16_384], [4, 131_072], [2, 393_216]] as const;

/** Collects garbage, which also sets the size at which the engine next does, and clears what became free. */
export function tidy(): void {
  const internals: unknown = Reflect.get(globalThis, "__cqjs");
  const collect: unknown = typeof internals === "object" && internals !== null ? Reflect.get(internals, "runGc") : undefined;
  if (typeof collect === "function") collect();
  for (const [count, size] of ROUNDS) Array.from({ length: count }, () => new ArrayBuffer(size));
  if (typeof collect === "function") collect();
}
