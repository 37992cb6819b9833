import type { Piece } from "./wpt.ts";

/** What a folder of Test262 came to. */
export interface Folder {
  readonly folder: string;
  /** As a script by an indirect eval, or as a turn's own code. */
  readonly as: "turn" | "script";
  readonly every: number;
  readonly ran: number;
  readonly failing: readonly (readonly [path: string, cause: string])[];
}

/** docs/conformance.md, of what was run. */
export function paperOf(folders: readonly Folder[], pieces: readonly Piece[], lacking: readonly string[]): string {
  return `# Conformance

What of two public test suites the JavaScript guest passes, as it is sealed in the binary. Made by
\`node test/standards/standards.ts --test262=DIR --wpt=DIR\`, where each folder is a checkout of tc39/test262 and of
web-platform-tests/wpt; neither is part of this repository. \`test/standards/standards.test.ts\` pins what matters of it
without them.

## Test262

Each test runs in a sandbox at its start: as a script, by an indirect eval in a turn, or as the turn's own code, which
then passes through the parser and the edits that give a turn its value. A turn's own code has the scope of a function,
as a module of Node's has: tests of what a script adds to the global object can't pass there. Left out are modules,
other realms and agents, and what the engine lacks as a whole: ${lacking.join(", ")}.

| folder | run as | which | tests | pass | fail |
|---|---|---|---|---|---|
${folders.map(({ folder, as, every, ran, failing }) => `| \`${folder}\` | ${as === "turn" ? "a turn's code" : "a script"} | ${every === 1 ? "all" : `1 in ${every}, by path`} | ${ran} | ${ran - failing.length} | ${failing.length} |`).join("\n")}
${folders.filter(({ failing }) => failing.length > 0).map(failingOf).join("")}
## Web Platform Tests

| file | subtests | pass | fail |
|---|---|---|---|
${pieces.map(({ path, ran, failing }) => `| \`${path}\` | ${ran} | ${ran - failing.length} | ${failing.length} |`).join("\n")}
${pieces.filter(({ failing }) => failing.length > 0).map(({ path, failing }) => `\nFailing of \`${path}\`:\n\n${causes(failing)}`).join("")}`;
}

function failingOf({ folder, as, failing }: Folder): string {
  return `\nFailing of \`${folder}\` as ${as === "turn" ? "a turn's code" : "a script"}:\n\n${causes(failing)}`;
}

/** Names under the cause that they share, the most common first. */
function causes(failing: readonly (readonly [name: string, cause: string])[]): string {
  const groups = Map.groupBy(failing, ([, cause]) => cause);
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([cause, names]) => `- ${code(cause)}: ${names.map(([name]) => code(name)).join(", ")}\n`)
    .join("");
}

function code(text: string): string {
  return text === "" ? "no words" : `\`\` ${text.replaceAll("`", "'").replaceAll("|", "\\|")} \`\``;
}
