import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMounts } from "../../../src/host/mounts/mounts.ts";
import { type GrantUse, NO_GRANTS } from "../../../src/policy/grants.ts";
import { type TestGuest, testGuest } from "../wasi/guest.ts";

/** A real folder, removed when it is disposed. */
export interface RealFolder extends Disposable {
  readonly path: string;
}

export function realFolder(): RealFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "belljar-mount-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export interface MountedGuest extends TestGuest {
  /** What has been told of uses, once the turn is over. */
  readonly uses: GrantUse[];
  /** Ends the turn and begins the next. */
  turn(): void;
}

const LIMITS = { writtenBytes: 1_000_000, madeFiles: 100, openFiles: 16 };

/** A stand-in for a guest with a real folder at /mnt/data. */
export function mountedGuest(host: string, { writable = true, ...limits }: Partial<typeof LIMITS> & { writable?: boolean } = {}): MountedGuest {
  const mounts = openMounts({ ...NO_GRANTS, folders: [{ host, guest: "/mnt/data", writable }], folderLimits: { ...LIMITS, ...limits } });
  const uses: GrantUse[] = [];
  const begin = (): void => mounts.begin((some) => uses.push(...some));
  begin();
  return {
    ...testGuest({ folders: mounts.folders }),
    uses,
    turn() {
      mounts.end();
      begin();
    },
  };
}
