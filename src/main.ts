import process from "node:process";
import { runCommand } from "./cli/commands.ts";

const code = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
// The last of the output may still be on its way.
process.stdout.write("", () => process.exit(code));
