import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import door from "belljar:guest/door";
import { DOMException } from "./exception.ts";

/** Most bytes of one `getRandomValues` (Web Cryptography, section 10.1.1). */
const QUOTA = 65_536;

/** The digests that are inside, by their plain name. */
export const digests = { md5, sha1, sha224, sha256, sha384, sha512 } as const;

/** Random bytes of the host. */
export function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += QUOTA) bytes.set(door.random(Math.min(QUOTA, count - at)), at);
  return bytes;
}

function getRandomValues<T>(array: T): T {
  if (!ArrayBuffer.isView(array) || array instanceof DataView || array instanceof Float32Array || array instanceof Float64Array) {
    throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
  }
  if (array.byteLength > QUOTA) {
    throw new DOMException(`The requested length exceeds ${QUOTA} bytes`, "QuotaExceededError");
  }
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(door.random(array.byteLength));
  return array;
}

function randomUUID(): string {
  const bytes = door.random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const WEB_NAMES = { "SHA-1": sha1, "SHA-256": sha256, "SHA-384": sha384, "SHA-512": sha512 } as const;

function digestByName(name: string): (data: Uint8Array) => Uint8Array {
  for (const [known, digest] of Object.entries(WEB_NAMES)) if (known === name.toUpperCase()) return digest;
  throw new DOMException(`Unrecognized algorithm name: ${name}. Inside are ${Object.keys(WEB_NAMES).join(", ")}`, "NotSupportedError");
}

const subtle = {
  async digest(algorithm: string | { readonly name: string }, data: ArrayBuffer | ArrayBufferView): Promise<ArrayBufferLike> {
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
    return digestByName(typeof algorithm === "string" ? algorithm : algorithm.name)(bytes).slice().buffer;
  },
};

export const crypto = { getRandomValues, randomUUID, subtle };
