import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "./hash.ts";
import { ROOT } from "./paths.ts";
import { BuildError } from "./step.ts";

const pinSchema = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int(), licence: z.string() });
const wheelSchema = pinSchema.extend({ name: z.string(), version: z.string(), file: z.string() });
const lockSchema = z.strictObject({
  wheel: wheelSchema.extend({
    /** The members that are used, by path in the wheel. */
    members: z.record(z.string(), pinSchema),
  }),
  /** Pure Python that speaks HTTP, for the Python guest. */
  web: z.array(wheelSchema),
});
export type WheelPin = z.infer<typeof wheelSchema>;
export type Pin = z.infer<typeof pinSchema>;
export type Lock = z.infer<typeof lockSchema>;

/** What the build fetches, each pinned by its content: `wasm/lock.json`. */
export function readLock(): Lock {
  return lockSchema.parse(JSON.parse(readFileSync(join(ROOT, "wasm", "lock.json"), "utf8")));
}

/** Why bytes are not those that were pinned; undefined when they are. */
export function mismatch(bytes: Uint8Array, pin: Pin): string | undefined {
  if (bytes.length !== pin.bytes) return `it has ${bytes.length} bytes, ${pin.bytes} were expected`;
  const found = sha256(bytes);
  return found === pin.sha256 ? undefined : `its sha256 is ${found}, ${pin.sha256} was expected`;
}

/** @throws BuildError naming the thing when its bytes are not those that were pinned. */
export function verify(name: string, bytes: Uint8Array, pin: Pin): void {
  const why = mismatch(bytes, pin);
  if (why !== undefined) throw new BuildError(`${name} is not what wasm/lock.json pins: ${why}.`);
}
