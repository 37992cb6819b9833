import { outcomeSchema } from "../../src/policy/outcome.ts";
import { connect } from "../e2e/driver.ts";
import { asPlainNotebook } from "./plain-notebook.ts";
import { readJobs } from "./program.ts";

/** Characters of one program's answer, and of what a plain notebook gives for it, without its prompt and with it. */
interface Row {
  readonly kind: string;
  readonly ours: number;
  readonly plain: number;
  readonly prompted: number;
}

/** What Jupyter's text form puts before a value. */
const PROMPT = "Out[1]: ";

await using server = await connect(["--timeout-ms=120000"]);
const rows: Row[] = [];
for (const { programs, files } of readJobs(new URL("programs/", import.meta.url))) {
  for (const { language, code } of programs) {
    const { text, structured } = await server.call(`execute_${language}`, { code, files });
    const outcome = outcomeSchema.parse(structured);
    const { stdout, stderr, repr = "", error } = outcome;
    const plain = language === "python" ? await plainPython(code, files) : `${stdout}${stderr}${repr}${error?.traceback ?? ""}`;
    const length = plain.trimEnd().length;
    const kind = outcome.files === undefined ? "without files" : "with files";
    rows.push({ kind, ours: text.length, plain: length, prompted: length + (outcome.repr === undefined ? 0 : PROMPT.length) });
  }
}

async function plainPython(code: string, files: readonly { readonly path: string; readonly text: string }[]): Promise<string> {
  const { stdout, stderr } = await server.run("python", asPlainNotebook(code), { files });
  return stdout + stderr;
}

const groups = new Map([["all", rows], ...Map.groupBy(rows, ({ kind }) => kind)]);
const mean = (some: readonly Row[], of: (row: Row) => number): string => (some.reduce((sum, row) => sum + of(row), 0) / 4 / some.length).toFixed(1);
process.stdout.write("| programs | answers | Belljar | notebook | notebook with its prompt |\n|---|---|---|---|---|\n");
for (const [kind, some] of groups) {
  process.stdout.write(`| ${kind} | ${some.length} | ${mean(some, (row) => row.ours)} | ${mean(some, (row) => row.plain)} | ${mean(some, (row) => row.prompted)} |\n`);
}
