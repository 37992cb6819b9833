import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../e2e/driver.ts";
import { assertRefused } from "./refusal.ts";

const server = await connect(["--sandboxes=2"]);
after(() => server[Symbol.asyncDispose]());
const FULL = "2 named sandboxes are kept already, which is the most (--sandboxes): one, two. Close one with close_sandbox, or use one of them.";

test("as many named sandboxes as may be are kept, one more is refused, and closing one makes room", async () => {
  for (const sandbox of ["one", "two"]) assert.equal((await server.run("javascript", "let n = 1; n", { sandbox })).result, 1);
  await assertRefused(server, "execute_javascript", { code: "1", sandbox: "three" }, FULL);
  await assertRefused(server, "execute_python", { code: "1", sandbox: "three" }, FULL);
  await assertRefused(server, "fork_sandbox", { from: "one", to: "three" }, FULL);
  assert.equal((await server.run("javascript", "n += 1", { sandbox: "two" })).result, 2);
  assert.equal((await server.run("javascript", "typeof n")).result, "undefined", "a run without a name needs no room");
  await server.call("close_sandbox", { sandbox: "one" });
  assert.equal((await server.run("javascript", "typeof n", { sandbox: "three" })).result, "undefined");
});

test("of many that are made at once, no more are kept than may be", async () => {
  for (const sandbox of ["two", "three"]) await server.call("close_sandbox", { sandbox });
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => server.call("execute_javascript", { code: "1", sandbox: `s${index}` })));
  assert.equal(answers.filter(({ isError }) => !isError).length, 2);
});

test("values that are no name are refused", async () => {
  const words = (name: string): string => `sandbox must be 1 to 64 letters, digits, dots, dashes or underscores and begin with a letter or digit, and was ${JSON.stringify(name)}.`;
  for (const sandbox of ["", "../x", "a b", "-x"]) await assertRefused(server, "execute_python", { code: "1", sandbox }, words(sandbox));
  await assertRefused(server, "execute_python", { code: "1", sandbox: 5 }, "sandbox must be a string, and was the number 5.");
});
