import { accessSync, constants, realpathSync, statfsSync, statSync } from "node:fs";
import { BelljarError, messageOf } from "../../base/errors.ts";
import type { FolderGrant } from "../../policy/grants.ts";
import { refusals } from "../../policy/sentences.ts";
import { ANCHOR_FOLDER } from "./anchor.ts";
import { isSystemFolder } from "./nodes.ts";

/**
 * Granted folders by their true paths, looked up once: what their names lead to later is of no account.
 * @throws BelljarError REFUSED for what is no folder, can't be used as granted, or shows the system itself.
 */
export function resolveFolders(folders: readonly FolderGrant[]): FolderGrant[] {
  return folders.map((folder) => {
    const refuse = (reason: string, cause?: unknown): never => {
      throw new BelljarError("REFUSED", refusals.badFolder(folder.host, reason), { cause });
    };
    try {
      const host = realpathSync.native(folder.host);
      if (!statSync(host).isDirectory()) return refuse("it is no folder");
      // Deno has rights of its own for both: it refuses what shows the system, and asks who runs it before it tells of access.
      if ("Deno" in globalThis) return { ...folder, host };
      accessSync(host, constants.R_OK | (folder.writable ? constants.W_OK : 0));
      if (process.platform === "linux" && isSystemFolder(statfsSync(host).type)) return refuse("its files are the system's own");
      return { ...folder, host };
    } catch (cause) {
      if (cause instanceof BelljarError) throw cause;
      return refuse(messageOf(cause), cause);
    }
  });
}

/**
 * Node's flags that let a process use those folders, and no other file.
 * @throws BelljarError REFUSED for a path that Node would take for a pattern.
 */
export function folderRights(folders: readonly FolderGrant[]): string[] {
  if (folders.length === 0) return [];
  const pattern = folders.find(({ host }) => host.includes("*"));
  if (pattern !== undefined) throw new BelljarError("REFUSED", refusals.badFolder(pattern.host, "a path with a * in it would open others beside it"));
  const written = folders.filter(({ writable }) => writable);
  const anchors = ANCHOR_FOLDER === undefined ? [] : [ANCHOR_FOLDER];
  return [
    ...[...folders.map(({ host }) => host), ...anchors].map((path) => `--allow-fs-read=${path}`),
    ...(written.length === 0 ? [] : [...written.map(({ host }) => host), ...anchors].map((path) => `--allow-fs-write=${path}`)),
  ];
}
