/** Lines of frames that may repeat as a whole, as functions that call each other in turn make them. */
const LONGEST_CYCLE = 4;
const FEWEST_REPEATS = 3;

/** A traceback whose last frames repeat, as runaway recursion makes them, with one round of them. */
export function foldFrames(text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => isFrame(line));
  const after = lines.findIndex((line, index) => index > start && !isFrame(line));
  const end = after < 0 ? lines.length : after;
  for (let length = 1; start >= 0 && length <= LONGEST_CYCLE; length += 1) {
    let repeated = 0;
    while (end - repeated - 1 - length >= start && lines[end - repeated - 1] === lines[end - repeated - 1 - length]) repeated += 1;
    if (repeated < (FEWEST_REPEATS - 1) * length) continue;
    const mark = length === 1 ? "    … this line repeats" : `    … these ${length} lines repeat`;
    return [...lines.slice(0, end - repeated), mark, ...lines.slice(end)].join("\n");
  }
  return text;
}

function isFrame(line: string): boolean {
  return line.startsWith("    at ");
}
