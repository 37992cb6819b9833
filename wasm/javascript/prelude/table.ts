import { inspect } from "node-inspect-extracted";

const INDEX = "(index)";
const ITERATION = "(iteration index)";
const VALUES = "Values";

/** `console.table` as Node draws it; none when the data has no rows. */
export function table(data: unknown, columns?: readonly string[]): string | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const rows: (readonly [string, unknown])[] =
    data instanceof Map
      ? [...data].map(([key, value], index) => [String(index), { Key: key, Values: value }])
      : data instanceof Set
        ? [...data].map((value, index) => [String(index), value])
        : Object.entries(data);
  const names: string[] = columns ? [...columns] : [];
  let hasPlain = false;
  for (const [, row] of rows) {
    if (typeof row !== "object" || row === null) hasPlain = true;
    else if (!columns) for (const name of Object.keys(row)) if (!names.includes(name)) names.push(name);
  }
  const head = [data instanceof Map || data instanceof Set ? ITERATION : INDEX, ...names, ...(hasPlain ? [VALUES] : [])];
  const body = rows.map(([index, row]) => {
    const isPlain = typeof row !== "object" || row === null;
    const cells = names.map((name) => (!isPlain && Object.hasOwn(row, name) ? cell(Reflect.get(row, name)) : ""));
    return [index, ...cells, ...(hasPlain ? [isPlain ? cell(row) : ""] : [])];
  });
  return draw(head, body);
}

function cell(value: unknown): string {
  const depth = typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0;
  return inspect(value, { maxArrayLength: 3, breakLength: Infinity, depth });
}

function draw(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(width(name), ...body.map((row) => width(row[column] ?? ""))) + 2);
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((size) => "─".repeat(size)).join(middle) + right;
  const line = (cells: readonly string[]): string =>
    `│${cells.map((text, column) => ` ${text}${" ".repeat((widths[column] ?? 0) - width(text) - 1)}`).join("│")}│`;
  return [rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤"), ...body.map(line), rule("└", "┴", "┘")].join("\n");
}

/** Columns on a terminal, near enough: wide East Asian characters and emoji take two. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(character) ? 2 : 1;
  return columns;
}
