import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configSchema } from "../src/cli/config.ts";
import { ROOT } from "./paths.ts";
import { readmeSections } from "./readme-sections.ts";
import { BuildError, tell } from "./step.ts";

const README = join(ROOT, "README.md");

/** A section between its markers, each on a line of its own. */
const SECTION = /(?<=^<!-- made: (?<name>\w+) -->\n)[^]*?(?=^<!-- end -->$)/gm;

/**
 * The text with each marked section as it would be made now.
 * @throws BuildError when a marked section is none of those, or one of those has no place
 */
export function fillSections(text: string, sections: Readonly<Record<string, string>>): string {
  const missing = new Set(Object.keys(sections));
  const filled = text.replace(SECTION, (...match) => {
    const { name }: { name: string } = match.at(-1);
    const section = sections[name];
    if (section === undefined) throw new BuildError(`Nothing is made for the section ${name} of README.md.`);
    missing.delete(name);
    return `\n${section}\n\n`;
  });
  if (missing.size > 0) throw new BuildError(`README.md has no place for ${[...missing].join(", ")}.`);
  return filled;
}

/** README.md as it is, and as it would be made now. */
export function readReadme(): { readonly text: string; readonly made: string } {
  const text = readFileSync(README, "utf8");
  return { text, made: fillSections(text, readmeSections()) };
}

/** Where the schema of the config file is published. */
export const SCHEMA_FILE = join(ROOT, "docs/belljar.schema.json");

/** The schema of the config file as it would be made now. */
export function schemaText(): string {
  return `${JSON.stringify(configSchema(), undefined, 2)}\n`;
}

/** Makes the sections of README.md and the schema of the config file anew, and gives the exit code. */
export function writeReadme(): number {
  const { text, made } = readReadme();
  writeFileSync(README, made);
  writeFileSync(SCHEMA_FILE, schemaText());
  tell(`build: README.md ${text === made ? "was up to date" : "is made anew"}`);
  return 0;
}
