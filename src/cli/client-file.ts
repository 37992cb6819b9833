import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { installed } from "../policy/sentences.ts";
import type { ServerEntry } from "./clients.ts";
import { misuse } from "./misuse.ts";

const settingsSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).optional() });

/**
 * Puts the server `belljar` into a client's JSON file beside whatever else it holds, and makes the file
 * when there is none. It is written aside and renamed, so that no half of it is ever there.
 * @throws BelljarError BAD_ARGUMENT, with the file left as it is, when it is no JSON object of that form.
 */
export async function addServer(file: string, entry: ServerEntry): Promise<void> {
  const place = await realpath(file).catch(() => file);
  const text = await readFile(place, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "{}";
    throw misuse(installed.unreadable(place, messageOf(error)));
  });
  const settings = read(place, text.trim() === "" ? "{}" : text);
  const changed = { ...settings, mcpServers: { ...settings.mcpServers, belljar: entry } };
  await replace(place, `${JSON.stringify(changed, null, indentOf(text))}\n`);
}

function read(file: string, text: string): z.output<typeof settingsSchema> {
  try {
    return settingsSchema.parse(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    throw misuse(installed.noPlainJson(file));
  }
}

function indentOf(text: string): string {
  return /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
}

async function replace(place: string, text: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const mode = await stat(place).then((is) => is.mode & 0o777, () => 0o600);
  const aside = `${place}.${randomUUID()}`;
  try {
    await using file = await open(aside, "wx", mode);
    await file.writeFile(text);
    await file.sync();
    await rename(aside, place);
  } catch (error) {
    await rm(aside, { force: true });
    throw misuse(installed.unwritable(place, messageOf(error)));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
