import { randomBytes } from "node:crypto";

/** What one answer leaves for its reader to fetch. */
export interface Leaving {
  /** Where it was in the sandbox, or what it is; `/`-separated, made part of its URI. */
  readonly path: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** A file that can be read by its URI. */
export interface KeptFile extends Leaving {
  readonly uri: string;
  /** Milliseconds of the clock when it was left. */
  readonly since: number;
}

/** What answers left behind, within a cap of bytes and of time; the oldest goes first. */
export interface KeptFiles {
  /** Keeps what one answer leaves; the URIs come back in the same order, none for what is larger than the cap. */
  keep(leavings: readonly Leaving[]): (string | undefined)[];
  read(uri: string): KeptFile | undefined;
  list(): readonly KeptFile[];
}

export interface KeptOptions {
  readonly maxBytes: number;
  readonly maxMs: number;
  readonly now?: () => number;
}

/** What a kept file takes besides its content: its names, its places in tables. Files may be empty, and many. */
const FILE_WEIGHT = 2_048;

/** Bytes of memory that a file counts as. */
export function weightOf({ bytes, path }: Leaving): number {
  return bytes.length + FILE_WEIGHT + 4 * path.length;
}

/** The bytes without what else their buffer holds: what comes from the engine are views of whole messages. */
function own(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > bytes.length + FILE_WEIGHT ? bytes.slice() : bytes;
}

/** Nothing is written to disk: what is kept is memory of this process, at most `maxBytes` of it. */
export function createKeptFiles({ maxBytes, maxMs, now = Date.now }: KeptOptions): KeptFiles {
  const kept = new Map<string, KeptFile>();
  let total = 0;

  const drop = (file: KeptFile): void => {
    kept.delete(file.uri);
    total -= weightOf(file);
  };
  const tidy = (): void => {
    const oldest = now() - maxMs;
    for (const file of kept.values()) {
      if (file.since > oldest && total <= maxBytes) break;
      drop(file);
    }
  };

  return {
    keep(leavings) {
      const folder = randomBytes(6).toString("hex");
      const uris = leavings.map((leaving) => {
        if (weightOf(leaving) > maxBytes) return undefined;
        const uri = `belljar://${folder}/${leaving.path.split("/").filter(Boolean).map(encodeURIComponent).join("/")}`;
        kept.set(uri, { ...leaving, bytes: own(leaving.bytes), uri, since: now() });
        total += weightOf(leaving);
        return uri;
      });
      tidy();
      return uris.map((uri) => (uri !== undefined && kept.has(uri) ? uri : undefined));
    },
    read(uri) {
      tidy();
      return kept.get(uri);
    },
    list() {
      tidy();
      return [...kept.values()];
    },
  };
}
