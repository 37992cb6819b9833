/** One row: what was measured, its values of all rounds, and what is aimed at. */
export interface Row {
  readonly what: string;
  readonly unit: "ms" | "MB";
  readonly values: readonly number[];
  readonly aim?: string;
}
