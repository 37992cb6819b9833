import { mountedFolders } from "../policy/grants.ts";
import type { Language } from "../policy/limits.ts";
import type { Settings } from "../policy/settings.ts";
import { startEngineProcess } from "../sandbox/engine-process.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { networkFor } from "./network.ts";
import { VERSION } from "./version.ts";

/** Opens sandboxes with a command's settings, and loads the languages of `ahead`; what they are made of is loaded only now. */
export async function open(settings: Settings, ahead: readonly Language[]): Promise<Sandboxes> {
  const { limits, workers, stateDir, grants, audit } = settings;
  // It starts while the rest of this is loaded; with folders its rights have to be found out first.
  const engine = "Deno" in globalThis || mountedFolders(grants).length > 0 ? undefined : startEngineProcess([]);
  try {
    const { openSandboxes } = await import("../sandbox/open.ts");
    return openSandboxes(
      {
        ahead,
        outputBytes: limits.output,
        fileBytes: limits.files,
        queue: limits.queue,
        sandboxes: limits.sandboxes,
        stored: limits.stored,
        idleMs: limits.idle * 60_000,
        workers,
        grants,
        memoryMb: { python: limits.pythonMemory, javascript: limits.javascriptMemory },
      },
      {
        state: stateDir === undefined ? undefined : { folder: stateDir, version: VERSION },
        auditFile: audit,
        openNetwork: await networkFor(settings),
        engine,
      },
    );
  } catch (error) {
    engine?.kill("SIGKILL");
    throw error;
  }
}
