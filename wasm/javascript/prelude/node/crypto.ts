import { hmac } from "@noble/hashes/hmac.js";
import { Buffer } from "buffer/index.js";
import { crypto as web, digests, randomBytes } from "../web/crypto.ts";

type Data = string | Uint8Array;
type Digest = (typeof digests)[keyof typeof digests];

function digestOf(name: string): Digest {
  const plain = name.toLowerCase().replace("-", "");
  for (const [known, digest] of Object.entries(digests)) if (known === plain) return digest;
  throw new Error(`Digest method not supported: ${name}. Inside are ${Object.keys(digests).join(", ")}.`);
}

const toBytes = (data: Data, encoding?: string): Uint8Array => (typeof data === "string" ? Buffer.from(data, encoding) : data);

interface Running {
  update(data: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** The object of createHash and createHmac. */
function running(state: Running): object {
  const hash = {
    update(data: Data, encoding?: string) {
      state.update(toBytes(data, encoding));
      return hash;
    },
    digest(encoding?: string) {
      const bytes = Buffer.from(state.digest());
      return encoding === undefined || encoding === "buffer" ? bytes : bytes.toString(encoding);
    },
  };
  return hash;
}

function randomInt(from: number, to?: number): number {
  const [low, high] = to === undefined ? [0, from] : [from, to];
  const range = high - low;
  if (!Number.isSafeInteger(range) || range <= 0 || range > 2 ** 48) throw new RangeError("The range of randomInt is out of bounds.");
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = randomBytes(6).reduce((sum, byte) => sum * 256 + byte, 0);
    if (value < limit) return low + (value % range);
  }
}

export const crypto = {
  createHash: (name: string) => running(digestOf(name).create()),
  createHmac: (name: string, key: Data) => running(hmac.create(digestOf(name), toBytes(key))),
  getHashes: () => Object.keys(digests),
  getRandomValues: web.getRandomValues,
  hash: (name: string, data: Data, encoding = "hex") => Buffer.from(digestOf(name)(toBytes(data))).toString(encoding),
  randomBytes: (count: number) => Buffer.from(randomBytes(count)),
  randomInt,
  randomUUID: web.randomUUID,
  subtle: web.subtle,
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, index) => byte === b[index]),
  webcrypto: web,
};
