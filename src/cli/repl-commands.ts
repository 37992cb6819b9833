import { LIMITS, type Language } from "../policy/limits.ts";
import { remarks, sandboxLine, session } from "../policy/sentences.ts";
import type { Settings } from "../policy/settings.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { requestOf } from "./turn.ts";

/** What a command of a session works with. */
export interface ReplState {
  readonly language: Language;
  readonly settings: Settings;
  readonly sandboxes: Sandboxes;
  /** The sandbox that lines run in. */
  name: string;
  ended: boolean;
}

type ReplCommand = (state: ReplState, name: string) => Promise<string> | string;

const COMMANDS: Readonly<Record<string, ReplCommand>> = {
  ":help": () => session.help(),
  ":limits"({ settings }) {
    const set = new Map(Object.entries(settings.limits));
    return Object.entries(LIMITS)
      .map(([name, { flag, words }]) => `--${flag}=${String(set.get(name))}: ${words}`)
      .join("\n");
  },
  ":list": async ({ sandboxes }) => (await sandboxes.list()).map(sandboxLine).join("\n") || remarks.noSandboxes(),
  ":files": listFiles,
  async ":fork"({ sandboxes, name: from }, to) {
    if (to === "") return session.needsName(":fork");
    await sandboxes.fork({ from, to, reseed: true });
    return remarks.forked(from, to);
  },
  ":use"(state, name) {
    if (name === "") return session.needsName(":use");
    state.name = name;
    return session.using(name);
  },
  ":quit"(state) {
    state.ended = true;
    return "";
  },
};

/** What a line that begins with a colon answers. */
export async function replCommand(state: ReplState, line: string): Promise<string> {
  const [command = "", name = ""] = line.trim().split(/\s+/);
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  return run === undefined ? session.unknown(command) : run(state, name);
}

const LISTING = {
  python: "import os\n'\\n'.join(sorted(os.path.join(d, f) for d, _, fs in os.walk('/work') for f in fs))",
  javascript:
    "const list = (d) => require('node:fs').readdirSync(d, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? list(`${d}/${e.name}`) : `${d}/${e.name}`));\nlist('/work').sort().join('\\n')",
} as const satisfies Record<Language, string>;

/** Asks a copy of the sandbox, so that looking changes nothing. */
async function listFiles({ sandboxes, name, language, settings }: ReplState): Promise<string> {
  const copy = `${name.slice(0, 50)}.files`;
  await sandboxes.fork({ from: name, to: copy, reseed: false });
  try {
    const { outcome } = await sandboxes.run({ ...requestOf(language, LISTING[language], settings.limits), sandbox: copy });
    if (typeof outcome.result !== "string") return outcome.error?.message ?? session.noFiles();
    return outcome.result || session.noFiles();
  } finally {
    await sandboxes.close(copy);
  }
}
