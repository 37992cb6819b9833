import { readSettings } from "./flags.ts";
import { VERSION } from "./version.ts";

/**
 * Loads what a server and its engine begin with, and lets a server answer once, while the build takes the start-up
 * snapshot of the packed binary: each of its processes begins with what is there by the end of this. The settings are
 * those of no flag; what flags and the machine say is read when a process begins.
 */
export async function fillSnapshot(): Promise<void> {
  await import("./serve.ts");
  await import("./engine.ts");
  await import("../sandbox/open.ts");
  await import("../mcp/serve.ts");
  const { rehearse } = await import("../mcp/rehearsal.ts");
  await rehearse(VERSION, readSettings(new Map(), {}));
}
