import { readdirSync, readFileSync } from "node:fs";

/**
 * The source that loads the prelude into a guest whose interpreter has just started: `load.py` and every file of
 * `prelude/` as one text. Its last act is the door message `ready`, with the address of the function of each turn.
 */
export function pythonLoader(): string {
  const folder = new URL("prelude/", import.meta.url);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .sort();
  const members = names.map((name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    return `${pythonLiteral(name.slice(0, -".py".length))}: ${pythonLiteral(text)},`;
  });
  const load = readFileSync(new URL("load.py", import.meta.url), "utf8");
  return `${load}\n_load({\n${members.join("\n")}\n})\ndel _load\n`;
}

/** A JSON string is a Python literal too, but for the escapes of characters beyond U+FFFF, which are left as they are. */
function pythonLiteral(text: string): string {
  return JSON.stringify(text);
}
