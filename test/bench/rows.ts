/** One row: what was measured, of whom, its values of all rounds, and what is aimed at. */
export interface Row {
  readonly what: string;
  /** Belljar over MCP, unless it says else. */
  readonly who?: string;
  readonly unit: Unit;
  readonly values: readonly number[];
  readonly aim?: Aim;
}

export type Unit = "ms" | "MB" | "a second" | "times";

/** What is aimed at, and what came of it. */
export interface Aim {
  readonly words: string;
  /** What the aim is about; absent where that is the row's own median. */
  readonly figure?: string;
  /** Null when it could not be measured. */
  readonly reached: boolean | null;
}

/** An aim that the median of a row is not to pass. */
export function atMost(limit: number, row: Row): Row {
  return { ...row, aim: { words: `at most ${limit.toLocaleString("en-US")} ${row.unit}`, reached: verdict(median(row.values), (figure) => figure <= limit) } };
}

/** An aim that stands in relation to something else: `figure` times that. */
export function atMostTimes(limit: number, of: string, figure: number, row: Row): Row {
  return { ...row, aim: { words: `at most ${String(limit)} times ${of}`, ...relation(figure), reached: verdict(figure, () => figure <= limit) } };
}

export function atLeastTimes(limit: number, of: string, figure: number, row: Row): Row {
  return { ...row, aim: { words: `at least ${String(limit)} times ${of}`, ...relation(figure), reached: verdict(figure, () => figure >= limit) } };
}

function relation(figure: number): { figure?: string } {
  return Number.isFinite(figure) ? { figure: `${figure.toFixed(2)} times` } : {};
}

function verdict(figure: number, holds: (figure: number) => boolean): boolean | null {
  return Number.isFinite(figure) ? holds(figure) : null;
}

/** The middle value; of an even count the mean of both that are. NaN of none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}

/** How many times the other's median the one's is; NaN where either was not measured. */
export function ratio(one: Row | undefined, other: Row | undefined): number {
  return median(one?.values ?? []) / median(other?.values ?? []);
}

const REACHED = new Map([[true, "yes"], [false, "no"]]);

function shown(value: number, unit: Unit): string {
  return value.toFixed(unit === "times" || (value < 10 && unit === "ms") ? 2 : value < 100 ? 1 : 0);
}

function reached({ figure, reached: held }: Aim): string {
  return [held === null ? "not measured" : REACHED.get(held), figure].filter(Boolean).join(", ");
}

/** A Markdown table: medians, the range of all rounds, and whether what is aimed at is reached. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, who = "Belljar over MCP", unit, values, aim }) => {
    const spread = values.length > 1 ? `${shown(Math.min(...values), unit)} – ${shown(Math.max(...values), unit)}` : "";
    return `| ${what} | ${who} | ${shown(median(values), unit)} ${unit} | ${spread} | ${aim?.words ?? ""} | ${aim === undefined ? "" : reached(aim)} |`;
  });
  return ["| what | who | median | range | aim | reached |", "|---|---|---|---|---|---|", ...lines].join("\n");
}

/** The rows with an aim alone: what is aimed at, and what came of it. */
export function aims(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ what, unit, values, aim }) =>
    aim === undefined ? [] : [`| ${what} | ${aim.words} | ${aim.figure ?? `${shown(median(values), unit)} ${unit}`} | ${aim.reached === null ? "not measured" : (REACHED.get(aim.reached) ?? "")} |`],
  );
  return ["| what | aim | figure | reached |", "|---|---|---|---|", ...lines].join("\n");
}
