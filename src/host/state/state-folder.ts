import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { BelljarError, isBelljarError } from "../../base/errors.ts";
import { sentences } from "../../policy/sentences.ts";
import { lockFolder } from "./folder-lock.ts";
import { decodeHeader, LONGEST_HEADER, PREFIX_BYTES, type Stored, type Writer } from "./state-file.ts";
import { type Payload, readState, writeState } from "./state-parts.ts";

const ENDING = ".belljar";
const ASIDE = ".aside";

/** A stored sandbox, and the bytes of its file. */
export interface StoredFile extends Stored {
  readonly diskBytes: number;
}

/** One owner's stored sandboxes, one file each; the folder is this process's alone until it is disposed. */
export interface StateFolder extends Disposable {
  /** Those whose files fit. */
  list(): readonly StoredFile[];
  /** Why the file of that name can't be used, in a whole sentence; nothing when it can or there is none. */
  refusal(name: string): string | undefined;
  /** Resolves with the bytes of the file once it is on the disk, whole. */
  save(stored: Stored, payload: Payload): Promise<number>;
  /**
   * Its content can be read to the end, whatever is saved meanwhile; a reader that stops before it returns the parts' iterator.
   * @throws BelljarError REFUSED with the reason, here or from the parts, when the file does not fit.
   */
  load(name: string): Promise<Payload>;
  remove(name: string): Promise<void>;
}

/**
 * Opens a folder, making it when it isn't there. Nothing but headers is read.
 * @param most files at most; those that are there already stay
 * @throws BelljarError REFUSED when it is another process's, or can't be written to.
 */
export function openStateFolder(folder: string, writer: Writer, most = Infinity): StateFolder {
  const lock = lockFolder(folder);
  const files = new Map<string, StoredFile>();
  const refusals = new Map<string, string>();
  const last = new Map<string, Promise<unknown>>();
  /** Those that are being written for the first time. */
  const coming = new Set<string>();
  for (const file of readdirSync(folder)) {
    if (file.endsWith(ASIDE)) rmSync(join(folder, file), { force: true });
    if (file.endsWith(ENDING)) scan(file);
  }

  function scan(file: string): void {
    const name = nameOf(file);
    try {
      const stored = readHeader(join(folder, file), writer);
      if (stored.name !== name) throw new BelljarError("BAD_STATE", `it is the file of the sandbox ${JSON.stringify(stored.name)}`);
      files.set(name, stored);
    } catch (error) {
      refuse(name, error);
    }
  }

  function refuse(name: string, error: unknown): string {
    const reason = isBelljarError(error, "BAD_STATE") ? error.message : `it could not be read (${String(error)})`;
    const sentence = sentences.badStateFile(name, pathOf(name), reason);
    files.delete(name);
    refusals.set(name, sentence);
    return sentence;
  }

  function pathOf(name: string): string {
    return join(folder, fileOf(name));
  }

  /** What concerns one file happens in the order it was asked for. */
  function inOrder<T>(name: string, work: () => Promise<T>): Promise<T> {
    const result = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, result.catch(() => {}));
    return result;
  }

  /** A file that can't be used is neither replaced nor removed. */
  function check(name: string): void {
    const refusal = refusals.get(name);
    if (refusal !== undefined) throw new BelljarError("REFUSED", refusal);
  }

  return {
    list: () => [...files.values()],
    refusal: (name) => refusals.get(name),
    save: (stored, payload) =>
      inOrder(stored.name, async () => {
        check(stored.name);
        const isNew = !files.has(stored.name);
        if (isNew && files.size + coming.size >= most) throw new BelljarError("REFUSED", sentences.tooManyStored(most));
        if (isNew) coming.add(stored.name);
        try {
          const aside = join(folder, `${randomBytes(6).toString("hex")}${ASIDE}`);
          const diskBytes = await writeState({ path: pathOf(stored.name), aside }, stored, payload, writer);
          await syncFolder(folder);
          files.set(stored.name, { ...stored, diskBytes });
          return diskBytes;
        } finally {
          coming.delete(stored.name);
        }
      }),
    load: (name) =>
      inOrder(name, async () => {
        check(name);
        const refusing = (error: unknown): BelljarError => new BelljarError("REFUSED", refuse(name, error));
        try {
          const { bytes, parts } = await readState(pathOf(name), writer);
          return { bytes, parts: checked(parts, refusing) };
        } catch (error) {
          throw refusing(error);
        }
      }),
    remove: (name) =>
      inOrder(name, async () => {
        check(name);
        await rm(pathOf(name), { force: true });
        await syncFolder(folder);
        files.delete(name);
      }),
    [Symbol.dispose]: () => lock[Symbol.dispose](),
  };
}

function readHeader(path: string, writer: Writer): StoredFile {
  const fd = openSync(path, "r");
  try {
    const start = Buffer.alloc(PREFIX_BYTES + LONGEST_HEADER);
    const { size } = fstatSync(fd);
    const { header } = decodeHeader(start.subarray(0, readSync(fd, start)), size, writer);
    return { ...header, diskBytes: size };
  } finally {
    closeSync(fd);
  }
}

/** The same parts, whose reader is told of a failure in other words. */
async function* checked(parts: AsyncIterable<Uint8Array>, told: (error: unknown) => BelljarError): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    throw told(error);
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows has no such call for folders, and needs none.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Where capitals don't count, "A" and "a" are still two files; no name is one that a system reserves. */
function fileOf(name: string): string {
  return `=${name.replace(/[A-Z]/g, (letter) => `=${letter.toLowerCase()}`)}${ENDING}`;
}

function nameOf(file: string): string {
  return file.slice(1, -ENDING.length).replace(/=([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
