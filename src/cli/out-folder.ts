import { constants, lstat, mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { isPlainName } from "../host/mounts/names.ts";
import { results } from "../policy/sentences.ts";
import type { Finished } from "../sandbox/sandboxes.ts";

const WORK = "/work/";
const ENDINGS: Readonly<Record<string, string>> = { "image/png": ".png", "image/jpeg": ".jpg" };

/**
 * Writes what a run left beneath /work into a folder, which is made when it isn't there, and its
 * pictures beside it as `picture-1.png` and so on. The guest chose the names: each part of a path is
 * looked at, and none leads out of the folder, through a link neither.
 * @returns a line for each file: where it is, or why it is not.
 */
export async function saveResults(folder: string, { files, pictures }: Finished): Promise<string[]> {
  let root: string;
  try {
    await mkdir(folder, { recursive: true });
    root = await realpath(folder);
  } catch (error) {
    return [results.noFolder(folder, messageOf(error))];
  }
  const drawn = pictures.map(({ mimeType, bytes }, index) => ({ path: `picture-${String(index + 1)}${ENDINGS[mimeType] ?? ""}`, bytes }));
  const left = files.map(({ path, bytes }) => ({ path: path.startsWith(WORK) ? path.slice(WORK.length) : path, bytes }));
  const lines: string[] = [];
  for (const { path, bytes } of [...left, ...drawn]) lines.push((await save(root, path, bytes)) ?? results.written(join(folder, path), bytes.length));
  return lines;
}

/** Resolves with the reason when the file could not be written. */
async function save(root: string, path: string, bytes: Uint8Array): Promise<string | undefined> {
  const names = path.split("/");
  if (!names.every((name) => isPlainName(name))) return results.badName(path);
  try {
    let place = root;
    for (const name of names.slice(0, -1)) {
      place = join(place, name);
      const there = await lstat(place).catch(() => undefined);
      if (there === undefined) await mkdir(place);
      else if (!there.isDirectory()) return results.notAFolder(path, place);
    }
    await write(join(place, names.at(-1) ?? ""), bytes);
    return undefined;
  } catch (error) {
    return results.notWritten(path, messageOf(error));
  }
}

/** Opens no link, and waits for no pipe. */
async function write(place: string, bytes: Uint8Array): Promise<void> {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  await using file = await open(place, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (!(await file.stat()).isFile()) throw new Error("it is no file");
  await file.truncate();
  await file.writeFile(bytes);
}
