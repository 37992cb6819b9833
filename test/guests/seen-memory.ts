import assert from "node:assert/strict";
import type { Image } from "../../src/engine/image.ts";
import type { Guest, GuestInstance } from "../../src/guests/guest.ts";
import type { WorkFile } from "../../src/host/files/workspace.ts";
import type { Language } from "../../src/policy/limits.ts";
import { runTurn } from "../../src/sandbox/run.ts";
import { readJobs } from "../conformance/program.ts";

export const FILE_BYTES = 64 * 1_048_576;

const memories: WebAssembly.Memory[] = [];
const { Memory } = WebAssembly;
Object.defineProperty(WebAssembly, "Memory", {
  value: class extends Memory {
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Memory;
    }

    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      memories.push(this);
    }
  },
});

/** An instance and its memory, which an instance shows nobody. */
export interface Prepared {
  readonly instance: GuestInstance;
  readonly memory: WebAssembly.Memory;
}

export async function prepareSeen(guest: Guest, memoryBytes: number, image: string): Promise<Prepared> {
  const instance = await guest.prepare(memoryBytes, image);
  const memory = memories.at(-1);
  assert.ok(memory !== undefined);
  return { instance, memory };
}

export interface Run {
  readonly fuel: number;
  readonly wallTimeMs: number;
  readonly kept: boolean;
  readonly files: readonly WorkFile[];
}

/** Runs code in instances of one language and gives the status that it ended in. */
export function runnerOf(language: Language, memoryBytes: number) {
  return async (instance: GuestInstance, code: string, { fuel = 50_000_000_000, wallTimeMs = 60_000, kept = false, files = [] }: Partial<Run> = {}): Promise<string> => {
    const flag = new Int32Array(new SharedArrayBuffer(8));
    const limits = { wallTimeMs, fuel, memoryBytes, outputBytes: 65_536, fileBytes: FILE_BYTES };
    const { outcome } = await runTurn({ instance, language, code, limits, files, reseed: true, kept, flag, soft: true, onEnd: () => {} });
    return outcome.status;
  };
}

/** A memory is what one would be that was made of the image alone. */
export function assertEqual(memory: WebAssembly.Memory, image: Image, what: string): void {
  const expected = Buffer.alloc(memory.buffer.byteLength);
  for (const { offset, bytes } of image.runs) expected.set(bytes, offset);
  assert.ok(expected.equals(Buffer.from(memory.buffer)), what);
}

/** A language's programs of the corpus, with the files they read. */
export function corpusOf(wanted: Language): readonly { readonly code: string; readonly files: readonly WorkFile[] }[] {
  return readJobs(new URL("../conformance/programs/", import.meta.url)).flatMap(({ programs, files }) =>
    programs.filter(({ language }) => language === wanted).map(({ code }) => ({ code, files: files.map(({ path, text }) => ({ path, bytes: new TextEncoder().encode(text) })) })),
  );
}
