import { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";

const contents = new WeakMap<Blob, Uint8Array>();

/** The bytes of a blob. */
export function blobBytes(blob: Blob): Uint8Array {
  const bytes = contents.get(blob);
  if (bytes === undefined) throw new TypeError("Illegal invocation: not a Blob");
  return bytes;
}

/** File API, section 3; no streams. */
export class Blob {
  readonly type: string;

  constructor(parts: Iterable<unknown> = [], { type = "" }: { readonly type?: string } = {}) {
    const pieces = [...parts].map(bytesOf);
    const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    contents.set(this, bytes);
    this.type = /[^\u0020-\u007e]/.test(String(type)) ? "" : String(type).toLowerCase();
  }
  get size(): number {
    return blobBytes(this).length;
  }
  slice(start = 0, end = this.size, type = ""): Blob {
    return new Blob([blobBytes(this).slice(start, end)], { type });
  }
  async arrayBuffer(): Promise<ArrayBufferLike> {
    return blobBytes(this).slice().buffer;
  }
  async bytes(): Promise<Uint8Array> {
    return blobBytes(this).slice();
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(blobBytes(this));
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `${this.constructor.name} { size: ${this.size}, type: '${this.type}' }`;
  }
  get [Symbol.toStringTag](): string {
    return "Blob";
  }
}

/** File API, section 4. */
export class File extends Blob {
  readonly name: string;
  readonly lastModified: number;

  constructor(parts: Iterable<unknown>, name: unknown, options: { readonly type?: string; readonly lastModified?: number } = {}) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = options.lastModified ?? Date.now();
  }
}

function bytesOf(part: unknown): Uint8Array {
  if (part instanceof Blob) return blobBytes(part);
  if (part instanceof ArrayBuffer) return new Uint8Array(part);
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  return new TextEncoder().encode(String(part));
}
