import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const PINNED = join(import.meta.dirname ?? ".", "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");

// The build runs TypeScript and packs its own Node, so it must be the pinned one, whichever called it.
if (process.versions.node.split(".")[0] === "26") {
  const { main } = await import("./build/main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else if (existsSync(PINNED)) {
  const { status } = spawnSync(PINNED, process.argv.slice(1), { stdio: "inherit", shell: process.platform === "win32" });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write("The build needs Node 26, which comes with the development dependencies: run npm ci first.\n");
  process.exitCode = 2;
}
