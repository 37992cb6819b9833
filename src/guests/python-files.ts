import { openAsset } from "../engine/assets.ts";
import { type BaseLayer, createBaseLayer } from "../host/files/base-layer.ts";
import type { MountedFolder } from "../host/files/node.ts";
import { decodePack } from "../host/files/pack.ts";

/** Where the guest looks for its standard library. */
export const STDLIB = "/usr/local/lib/python315.zip";

/** What speaks HTTP in it, apart since most code has no use for it. */
export const WEB = "/usr/local/lib/python-web.zip";

/** What every Python sandbox sees read-only: the standard library, and matplotlib's data as a folder inside it, and the folders that are granted. */
export function pythonFiles(folders: readonly MountedFolder[] = []): BaseLayer {
  const stdlib = {
    path: STDLIB,
    bytes: openAsset("python-stdlib.zip"),
    folder: { path: "matplotlib/mpl-data", pack: decodePack(openAsset("mpl-data.pack")) },
  };
  return createBaseLayer([stdlib, { path: WEB, bytes: openAsset("python-web.zip") }], folders);
}
