import { join, resolve } from "node:path";

/** The checkout. */
export const ROOT = resolve(import.meta.dirname, "..");
export const DIST = join(ROOT, "dist");
/** What goes into the binary as its assets, by name. */
export const GUESTS = join(DIST, "guests");
/** The members of the wheel that only the build reads. */
export const WHEEL = join(DIST, "wheel");
/** What later steps read and the binary doesn't hold. */
export const STAGE = join(DIST, "stage");
/** The terms of what speaks HTTP in the Python guest. */
export const WEB_LICENCES = join(STAGE, "web-licences");
/** The one file. */
export const BINARY = join(DIST, process.platform === "win32" ? "belljar.exe" : "belljar");
