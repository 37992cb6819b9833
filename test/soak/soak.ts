import { soak, type Sample } from "./run-soak.ts";

const RUNS = Number(process.argv[2] ?? 10_000);

const row = ({ runs, seconds, engineMb, serverMb, threads, handles }: Sample): string =>
  [runs, seconds.toFixed(0), engineMb, serverMb, threads, handles].map((cell) => String(cell).padStart(12)).join("");

process.stdout.write(`${["runs", "seconds", "engine MiB", "server MiB", "threads", "handles"].map((cell) => cell.padStart(12)).join("")}\n`);
const { samples, statuses, faults, late, slowestMs } = await soak(RUNS, (sample) => process.stdout.write(`${row(sample)}\n`));
process.stdout.write(`endings: ${[...statuses].map(([status, count]) => `${status} ${count}`).join(", ")}\n`);
process.stdout.write(`stopped more than 100 ms after deadline and grace: ${late}; slowest answer beyond its deadline: ${slowestMs.toFixed(0)} ms\n`);
process.stdout.write(`the last row is after ten engines were killed amid runs\n`);
process.stdout.write(`${samples.length} samples, ${faults.length} faults\n${faults.map((fault) => `- ${fault}\n`).join("")}`);
process.exitCode = faults.length === 0 ? 0 : 1;
