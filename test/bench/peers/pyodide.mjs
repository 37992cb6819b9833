// Answers each line {"code"} with {"ms"}: how long a new interpreter took to run the code.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";

const [, , folder] = process.argv;
const { loadPyodide } = createRequire(join(folder, "package.json"))("pyodide");
for await (const line of createInterface({ input: process.stdin })) {
  const started = performance.now();
  const python = await loadPyodide();
  python.runPython(JSON.parse(line).code);
  console.log(JSON.stringify({ ms: performance.now() - started }));
}
