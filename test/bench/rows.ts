/** One row: what was measured, of whom, its values of all rounds, and what is aimed at. */
export interface Row {
  readonly what: string;
  /** Belljar over MCP, unless it says else. */
  readonly who?: string;
  readonly unit: "ms" | "MB" | "a second" | "times";
  readonly values: readonly number[];
  readonly aim?: string;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Who did how much in the median, for one thing that was measured of several. */
export function ratio(one: Row | undefined, other: Row | undefined): number {
  return one === undefined || other === undefined ? NaN : median(one.values) / median(other.values);
}

/** A Markdown table: medians, and the range of all rounds. */
export function table(rows: readonly Row[]): string {
  const shown = (value: number, unit: Row["unit"]): string => value.toFixed(unit === "times" || (value < 10 && unit === "ms") ? 2 : value < 100 ? 1 : 0);
  const lines = rows.map(({ what, who = "Belljar over MCP", unit, values, aim = "" }) => {
    const spread = values.length > 1 ? `${shown(Math.min(...values), unit)} – ${shown(Math.max(...values), unit)}` : "";
    return `| ${what} | ${who} | ${shown(median(values), unit)} ${unit} | ${spread} | ${aim} |`;
  });
  return ["| what | who | median | range | aim |", "|---|---|---|---|---|", ...lines].join("\n");
}
