import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type AsyncCommand, assert as check, array, asyncModelRun, asyncProperty, commands, constant, constantFrom, integer, oneof, tuple } from "fast-check";
import { z } from "zod";
import type { Outcome } from "../../src/policy/outcome.ts";
import { ON_DENO } from "./driver.ts";
import { startStateful, type StatefulServer } from "./state.ts";

const skip = ON_DENO ? "needs the right to write to a folder" : process.platform === "linux" ? false : "reads /proc";
/** Steps in all; without a number, as many as fit into some seconds. */
const STEPS = Number(process.env["BELLJAR_MODEL_STEPS"] ?? 0);
const SHORT_MS = 20_000;
const STEPS_A_RUN = 40;
const NAMES = ["a", "b", "C", "d-1", "e.2"];

/** All that is to be known of a sandbox: a number in a variable, and one in a file. */
interface Known {
  readonly kept: number;
  readonly file: number;
}
type Model = Map<string, Known>;
interface Real {
  readonly server: StatefulServer;
  steps: number;
}

const ADD = (n: number): string =>
  `globalThis.fs ??= require("node:fs"); globalThis.kept = (globalThis.kept ?? 0) + ${String(n)};
fs.writeFileSync("/work/n", String(Number(fs.existsSync("/work/n") ? fs.readFileSync("/work/n", "utf8") : 0) + ${String(n)}));`;
const LOOK = "[kept, Number(fs.readFileSync('/work/n', 'utf8'))]";

function after(model: Model, name: string, n: number): Known {
  const { kept, file } = model.get(name) ?? { kept: 0, file: 0 };
  return { kept: kept + n, file: file + n };
}

function run({ server }: Real, code: string, sandbox: string, args: Record<string, unknown> = {}): Promise<Outcome> {
  return server.now().run("javascript", code, { sandbox, ...args });
}

/** A step: what it does to the real thing and to the model, and how they are compared. */
type Step = AsyncCommand<Model, Real>;
function step(text: string, work: (model: Model, real: Real) => Promise<void>, possible: (model: Model) => boolean = () => true): Step {
  return {
    check: possible,
    async run(model, real) {
      real.steps += 1;
      await work(model, real);
    },
    toString: () => text,
  };
}

const add = (name: string, n: number): Step =>
  step(`${name} += ${String(n)}`, async (model, real) => {
    const known = after(model, name, n);
    const { status, result } = await run(real, `${ADD(n)}\n${LOOK}`, name);
    assert.deepEqual([status, result], ["ok", [known.kept, known.file]]);
    model.set(name, known);
  });

const addAtOnce = (names: readonly string[], n: number): Step =>
  step(`${names.join(" and ")} += ${String(n)} at once`, async (model, real) => {
    const runs = names.map(async (name) => {
      const known = after(model, name, n);
      model.set(name, known);
      return { known, outcome: await run(real, `${ADD(n)}\n${LOOK}`, name) };
    });
    for (const { known, outcome } of await Promise.all(runs)) assert.deepEqual(outcome.result, [known.kept, known.file]);
  });

const fail = (name: string, n: number): Step =>
  step(`${name} += ${String(n)}, then throws`, async (model, real) => {
    assert.equal((await run(real, `${ADD(n)}\nthrow new Error("no")`, name)).status, "error");
    model.set(name, after(model, name, n));
  });

/**
 * A stop that the code could unwind from keeps what it did; the answer says when it did not. On a thread that has just
 * started the deadline may pass amid the additions: then each of them was done or was not.
 */
const timeout = (name: string, n: number, end: "for (;;);" | "for (;;) { try { for (;;); } catch {} }"): Step =>
  step(`${name} += ${String(n)}, then ${end}`, async (model, real) => {
    const { status, stdout, notes = [] } = await run(real, `${ADD(n)}\nconsole.log("added");\n${end}`, name, { timeout_ms: 40 });
    assert.equal(status, "timeout");
    if (notes.some((note) => note.includes("exactly as it was before"))) return;
    const [before, done] = [after(model, name, 0), after(model, name, n)];
    if (stdout !== "") return void model.set(name, done);
    const [kept, file] = z.tuple([z.number(), z.number()]).parse((await run(real, LOOK, name)).result);
    assert.ok([before.kept, done.kept].includes(kept) && [before.file, done.file].includes(file), `${String(kept)}, ${String(file)}`);
    model.set(name, { kept, file });
  }, (model) => model.has(name));

const exhaust = (name: string, n: number): Step =>
  step(`${name} += ${String(n)}, then out of fuel`, async (_, real) => {
    const { status } = await run(real, `${ADD(n)}\nfor (;;);`, name, { fuel: 20_000_000 });
    assert.equal(status, "out_of_fuel");
  }, (model) => model.has(name));

const kill = (name: string, n: number): Step =>
  step(`${name} += ${String(n)}, then killed`, async (_, real) => {
    const server = real.server.now();
    const running = run(real, `${ADD(n)}\nfor (;;);`, name, { timeout_ms: 20_000 });
    for (let ids: readonly { readonly id: string }[] = []; ids.length === 0; await sleep(1)) {
      ids = Object((await server.call("list_executions", {})).structured).executions;
      for (const { id } of ids) await server.call("kill_execution", { execution_id: id });
    }
    assert.equal((await running).status, "killed");
  }, (model) => model.has(name));

const fork = (from: string, to: string): Step =>
  step(`${to} = fork of ${from}`, async (model, real) => {
    const { isError } = await real.server.now().call("fork_sandbox", { from, to });
    const known = model.get(from);
    assert.equal(isError, known === undefined || model.has(to));
    if (!isError && known !== undefined) model.set(to, known);
  });

const close = (name: string): Step =>
  step(`close ${name}`, async (model, real) => {
    const { isError } = await real.server.now().call("close_sandbox", { sandbox: name });
    assert.equal(!isError, model.delete(name));
  });

const list = (): Step =>
  step("list", async (model, real) => {
    const { structured } = await real.server.now().call("list_sandboxes", {});
    const names = Object(structured).sandboxes.map((info: { name: string }) => info.name);
    assert.deepEqual(names.sort(), [...model.keys()].sort());
  });

const restart = (how: "restart" | "crash"): Step => step(how, (_, { server }) => server[how]());

const name = constantFrom(...NAMES);
const amount = integer({ min: 1, max: 9 });
/** Restarts are rare, since they take longer than all else together. */
const anyStep = oneof(
  { weight: 12, arbitrary: tuple(name, amount).map(([one, n]) => add(one, n)) },
  { weight: 6, arbitrary: tuple(array(name, { minLength: 2, maxLength: 5 }), amount).map(([names, n]) => addAtOnce(names, n)) },
  { weight: 4, arbitrary: tuple(name, amount).map(([one, n]) => fail(one, n)) },
  { weight: 2, arbitrary: tuple(name, amount).map(([one, n]) => timeout(one, n, "for (;;);")) },
  { weight: 2, arbitrary: tuple(name, amount).map(([one, n]) => timeout(one, n, "for (;;) { try { for (;;); } catch {} }")) },
  { weight: 3, arbitrary: tuple(name, amount).map(([one, n]) => exhaust(one, n)) },
  { weight: 3, arbitrary: tuple(name, amount).map(([one, n]) => kill(one, n)) },
  { weight: 8, arbitrary: tuple(name, name).map(([from, to]) => fork(from, to)) },
  { weight: 4, arbitrary: name.map(close) },
  { weight: 2, arbitrary: constant(list()) },
  { weight: 1, arbitrary: constantFrom(restart("restart"), restart("crash")) },
);
const anySteps = commands([anyStep], { maxCommands: STEPS_A_RUN, size: "max" });

/** Two sandboxes stay in memory, so that what is used comes from the disk again and again. */
test("named sandboxes do what a model of two numbers each says, whatever comes in which order", { skip }, async (t) => {
  await using server = await startStateful(["--sandboxes=2"]);
  const real: Real = { server, steps: 0 };
  const enough = performance.now() + SHORT_MS;
  await check(
    asyncProperty(anySteps, async (given) => {
        if (STEPS > 0 ? real.steps >= STEPS : performance.now() > enough) return;
        for (const sandbox of NAMES) await server.now().call("close_sandbox", { sandbox });
        const model: Model = new Map();
        await asyncModelRun(() => ({ model, real }), given);
        for (const [sandbox, { kept, file }] of model) {
          assert.deepEqual((await run(real, LOOK, sandbox)).result, [kept, file], `${sandbox} at the end`);
        }
      }),
    { numRuns: STEPS > 0 ? STEPS : 100, endOnFailure: STEPS === 0 },
  );
  t.diagnostic(`${String(real.steps)} steps`);
  assert.ok(real.steps > 20);
});
