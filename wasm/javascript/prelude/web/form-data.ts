import door from "belljar:guest/door";
import { TextEncoder } from "@exodus/bytes/encoding-lite.js";
import { Blob, blobBytes, File } from "./blob.ts";

type Entry = readonly [name: string, value: string | File];

const lists = new WeakMap<FormData, Entry[]>();

function listOf(form: FormData): Entry[] {
  const list = lists.get(form);
  if (list === undefined) throw new TypeError("Illegal invocation: not a FormData");
  return list;
}

function entryOf(name: unknown, value: unknown, filename?: unknown): Entry {
  if (!(value instanceof Blob)) return [String(name), String(value)];
  if (value instanceof File && filename === undefined) return [String(name), value];
  return [String(name), new File([value], filename ?? (value instanceof File ? value.name : "blob"), { type: value.type })];
}

/** XMLHttpRequest Standard, section 4.3. */
export class FormData {
  constructor() {
    lists.set(this, []);
  }
  append(name: unknown, value: unknown, filename?: unknown): void {
    listOf(this).push(entryOf(name, value, filename));
  }
  set(name: unknown, value: unknown, filename?: unknown): void {
    const entry = entryOf(name, value, filename);
    const list = listOf(this);
    const at = list.findIndex(([known]) => known === entry[0]);
    if (at < 0) list.push(entry);
    else lists.set(this, [...list.slice(0, at), entry, ...list.slice(at + 1).filter(([known]) => known !== entry[0])]);
  }
  delete(name: unknown): void {
    lists.set(this, listOf(this).filter(([known]) => known !== String(name)));
  }
  get(name: unknown): string | File | null {
    return listOf(this).find(([known]) => known === String(name))?.[1] ?? null;
  }
  getAll(name: unknown): (string | File)[] {
    return listOf(this).flatMap(([known, value]) => (known === String(name) ? [value] : []));
  }
  has(name: unknown): boolean {
    return listOf(this).some(([known]) => known === String(name));
  }
  forEach(callback: (value: string | File, name: string, form: FormData) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries(): IterableIterator<Entry> {
    yield* listOf(this);
  }
  *keys(): IterableIterator<string> {
    for (const [name] of listOf(this)) yield name;
  }
  *values(): IterableIterator<string | File> {
    for (const [, value] of listOf(this)) yield value;
  }
  [Symbol.iterator](): IterableIterator<Entry> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "FormData";
  }
}

/** A form as multipart/form-data (RFC 7578), and the type with its boundary. */
export function multipart(form: FormData): { readonly bytes: Uint8Array; readonly type: string } {
  const boundary = `----belljar-${door.random(12).toHex()}`;
  const name = (text: string): string => text.replaceAll("\r\n", "%0D%0A").replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
  const parts = [...form].flatMap(([key, value]): unknown[] => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name(key)}"`;
    if (typeof value === "string") return [`${head}\r\n\r\n${value.replace(/\r\n|\r|\n/g, "\r\n")}\r\n`];
    return [`${head}; filename="${name(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}\r\n\r\n`, value, "\r\n"];
  });
  const encoder = new TextEncoder();
  return {
    bytes: blobBytes(new Blob([...parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part)), `--${boundary}--\r\n`])),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
