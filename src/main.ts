import process from "node:process";
import { startupSnapshot } from "node:v8";
import { log } from "./base/log.ts";
import { runCommand } from "./cli/commands.ts";

function main(): void {
  // Node would print the line of the fault, and a bundle is one line.
  process.on("uncaughtException", (error) => {
    log(error.stack ?? error.message);
    process.exit(1);
  });
  void runCommand({
    args: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  }).then((code) => {
    // The last of the output may still be on its way.
    process.stdout.write("", () => process.exit(code));
  });
}

// No `await` out here: the bundle is CommonJS, which loads Node's own modules as they are needed.
if (startupSnapshot.isBuildingSnapshot()) {
  startupSnapshot.setDeserializeMainFunction(main);
  void import("./cli/snapshot.ts").then(({ fillSnapshot }) => fillSnapshot());
} else main();
