import type { Measured } from "./measured.ts";
import { aims, table } from "./rows.ts";

const INTRODUCTION = `What \`npm run bench\` measured: medians, and the range of all rounds beside them. The others are installed by it, in a folder
of their own, and asked by turns with Belljar in the same run, so that whatever else the machine does comes to all of them.
Belljar's times are those of its packed binary over MCP, from the client's call to its answer, by the SDK's client of version 1;
so are Capsule's, whose own MCP server is in no registry: its runtime and the sandboxes of its adapter stand behind one that is
part of this bench. The others are called as libraries, without a protocol and a second process, which is to their favour.`;

/** What goes on the page of one chapter. */
export interface Part {
  readonly title: string;
  readonly about: string;
  readonly measured: Measured;
}

/** The page in Markdown. The settings are told once each, with the chapters that they are of where they differ. */
export function page(parts: readonly Part[]): string {
  const settings = Map.groupBy(parts, ({ measured }) => measured.setting);
  const where = settings.size === 1 ? `${parts[0]?.measured.setting ?? ""}.` : [...settings].map(([setting, of]) => `- ${of.map(({ title }) => title).join("; ")}: ${setting}.`).join("\n");
  const loads = parts.map(({ measured }) => measured.load);
  const busy = `Load of the machine just before a chapter, by what else ran on it and by the chapter before: ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.
Above the number of cores, times are longer than on a machine at rest; ratios of what took turns suffer less.`;
  const all = parts.flatMap(({ measured }) => measured.rows);
  const chapters = parts.flatMap(({ title, about, measured }) => [`## ${title}`, about, table(measured.rows)]);
  return `${["# Benchmarks", INTRODUCTION, where, busy, "## What is aimed at, and what came of it", aims(all), ...chapters].filter(Boolean).join("\n\n")}\n`;
}
