import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { PLACES } from "../src/engine/assets.ts";
import { BINARY, DIST, GUESTS, STAGE } from "./paths.ts";
import type { Step } from "./step.ts";
import { blankPlaces, writePlaces } from "./places.ts";
import { stripProgram } from "./strip.ts";
import { SNAPSHOT_FLAGS, THREAD_ASSETS } from "./thread-code.ts";

const CONFIG = join(STAGE, "sea.json");
const NODE = join(STAGE, "node");
const UNPLACED = join(STAGE, "program");

/** One executable file: Node, the program as it is once loaded, and all its assets, by Node's own `--build-sea`. */
export const pack: Step = {
  name: "pack",
  inputs: ["build/pack.ts", "build/places.ts", "build/strip.ts"],
  after: ["wheel", "meter", "guests", "web", "images", "shipped", "identity", "bundle", "thread-code"],
  outputs: [`dist/${process.platform === "win32" ? "belljar.exe" : "belljar"}`],
  run() {
    rmSync(BINARY, { force: true });
    mkdirSync(STAGE, { recursive: true });
    writeFileSync(NODE, stripProgram(readFileSync(process.execPath)), { mode: 0o755 });
    const packed = assets("");
    const blank = blankPlaces(packed);
    writeFileSync(join(STAGE, PLACES), blank);
    writeFileSync(CONFIG, JSON.stringify(configuration(packed), null, 1));
    execFileSync(process.execPath, [...SNAPSHOT_FLAGS, "--build-sea", CONFIG], { stdio: ["ignore", "ignore", "inherit"] });
    rmSync(NODE);
    writePlaces(UNPLACED, blank, packed);
    // As a copy it is in the system's cache as if read from the disk; as written by Node much more of it is mapped at once.
    copyFileSync(UNPLACED, BINARY);
    rmSync(UNPLACED);
    // Apple's kernel kills an executable whose content its signature doesn't cover.
    if (process.platform === "darwin") execFileSync("codesign", ["--force", "--sign", "-", BINARY]);
  },
};

function configuration(packed: Readonly<Record<string, string>>): object {
  return {
    main: join(DIST, "belljar.cjs"),
    executable: NODE,
    output: UNPLACED,
    disableExperimentalSEAWarning: true,
    useSnapshot: true,
    // The engine is started with rights taken away, by --node-options; the user's NODE_OPTIONS is not for Belljar.
    execArgvExtension: "cli",
    assets: { ...THREAD_ASSETS, [PLACES]: join(STAGE, PLACES), ...packed },
  };
}

/** All files under `dist/guests`, by their path in it. */
function assets(folder: string): Record<string, string> {
  const entries = readdirSync(join(GUESTS, folder), { withFileTypes: true });
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? assets(path) : { [path]: join(GUESTS, path) };
    }),
  );
}
