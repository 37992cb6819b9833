import { isBelljarError } from "../base/errors.ts";
import { refusals, usage } from "../policy/sentences.ts";
import { EXIT, type Command, type Invocation } from "./command.ts";

/** Each command is loaded when it is asked for: the engine needs no protocol, the server no guests. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  run: async () => (await import("./run.ts")).run,
  repl: async () => (await import("./repl.ts")).repl,
  doctor: async () => (await import("./doctor.ts")).doctor,
  install: async () => (await import("./install.ts")).install,
  packages: async () => (await import("./packages.ts")).packages,
  schema: async () => (await import("./schema.ts")).schema,
  licences: async () => (await import("./licences.ts")).licences,
  engine: async () => (await import("./engine.ts")).engine,
};
const SHOWN = ["serve", "run", "repl", "doctor", "install", "packages", "schema", "licences"];

/** Runs the command that the arguments name (serve when they name none) and resolves with its exit code. */
export async function runCommand(invocation: Invocation): Promise<number> {
  const { args, stdout, stderr } = invocation;
  const [first = "serve"] = args;
  if (args.slice(0, 2).includes("--help") || first === "-h" || first === "help") {
    stdout.write((await import("./help.ts")).helpText());
    return EXIT.ok;
  }
  if (first === "--version" || first === "-v") {
    stdout.write(`${(await import("./version.ts")).VERSION}\n`);
    return EXIT.ok;
  }
  const name = first.startsWith("-") ? "serve" : first;
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const wrong = (message: string): number => {
    stderr.write(`belljar: ${message}\n${usage.more()}\n`);
    return EXIT.usage;
  };
  if (load === undefined) return wrong(usage.unknownCommand(name, SHOWN));
  try {
    const command = await load();
    return await command({ ...invocation, args: name === first ? args.slice(1) : args });
  } catch (error) {
    if (isBelljarError(error, "BAD_ARGUMENT")) return wrong(error.message);
    if (isBelljarError(error, "REFUSED")) {
      stderr.write(`belljar: ${error.message}\n`);
      return EXIT.error;
    }
    stderr.write(`belljar: ${refusals.fault(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    return EXIT.error;
  }
}
