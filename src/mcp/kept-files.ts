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

/** Nothing is written to disk: what is kept is memory of this process, at most `maxBytes` of it. */
export function createKeptFiles({ maxBytes, maxMs, now = Date.now }: KeptOptions): KeptFiles {
  const kept = new Map<string, KeptFile>();
  let total = 0;

  const drop = (file: KeptFile): void => {
    kept.delete(file.uri);
    total -= file.bytes.length;
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
        if (leaving.bytes.length > maxBytes) return undefined;
        const uri = `belljar://${folder}/${leaving.path.split("/").filter(Boolean).map(encodeURIComponent).join("/")}`;
        kept.set(uri, { ...leaving, uri, since: now() });
        total += leaving.bytes.length;
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
