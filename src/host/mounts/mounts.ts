import { BelljarError } from "../../base/errors.ts";
import { type Grants, type GrantUse, mountedFolders, PACKAGES_PLACE } from "../../policy/grants.ts";
import { refusals } from "../../policy/sentences.ts";
import { WasiFault } from "../errno.ts";
import type { MountedFolder } from "../files/node.ts";
import { createLedger } from "./ledger.ts";
import { type HostMount, openMount } from "./mount.ts";

/** The mounted folders of one thread's sandboxes. */
export interface Mounts {
  readonly folders: readonly MountedFolder[];
  /** Starts a turn, which is told what it has used of them. */
  begin(tell: (uses: readonly GrantUse[]) => void): void;
  /** Closes what the turn has left open. */
  end(): void;
}

/**
 * Opens the granted folders, for as long as the thread lives.
 * @throws BelljarError REFUSED when one can't be opened.
 */
export function openMounts(grants: Grants): Mounts {
  const ledger = createLedger();
  const mounts = mountedFolders(grants).map((folder): HostMount => {
    try {
      return openMount(folder, ledger, folder.guest === PACKAGES_PLACE ? 2 : Infinity);
    } catch (cause) {
      if (!(cause instanceof WasiFault)) throw cause;
      throw new BelljarError("REFUSED", refusals.badFolder(folder.host, "it is not what it was when the server began"), { cause });
    }
  });
  return {
    folders: mounts.map(({ root }) => root),
    begin: (tell) => ledger.begin(grants.folderLimits, tell),
    end() {
      for (const mount of mounts) mount.rest();
      ledger.end();
    },
  };
}
