/** The end of one stage of a call: its name, and the time in milliseconds of the machine's clock, which all processes share. */
export type Moment = readonly [stage: string, at: number];

/** The stage that ends now. */
export function moment(stage: string): Moment {
  return [stage, Number(process.hrtime.bigint()) / 1e6];
}

/** How long each stage took, one after the other, and all of them from `start`: milliseconds, in one line. */
export function describeMoments(start: number, moments: readonly Moment[]): string {
  const parts: string[] = [];
  let last = start;
  for (const [stage, at] of moments) {
    parts.push(`${stage} ${(at - last).toFixed(2)}`);
    last = at;
  }
  return `${(last - start).toFixed(2)} ms: ${parts.join(", ")}`;
}
