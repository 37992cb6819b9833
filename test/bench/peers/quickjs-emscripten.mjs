// Answers each line {"code"} with {"ms"}: how long a new runtime and context took to run the code.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";

const [, , folder] = process.argv;
const { getQuickJS } = createRequire(join(folder, "package.json"))("quickjs-emscripten");
const engine = await getQuickJS();
for await (const line of createInterface({ input: process.stdin })) {
  const started = performance.now();
  const context = engine.newContext();
  context.dump(context.unwrapResult(context.evalCode(JSON.parse(line).code)));
  context.dispose();
  console.log(JSON.stringify({ ms: performance.now() - started }));
}
