import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine, readSettings } from "../../src/cli/flags.ts";
import { LIMITS, type LimitName } from "../../src/policy/limits.ts";

const settingsOf = (args: readonly string[], env: Record<string, string> = {}) =>
  readSettings(parseCommandLine(args).values, env);
const refuses = (args: readonly string[], message: string, env: Record<string, string> = {}): void => {
  assert.throws(() => settingsOf(args, env), { code: "BAD_ARGUMENT", message });
};
const names = Object.keys(LIMITS).filter((name): name is LimitName => name in LIMITS);

test("without flags every limit is its default", () => {
  const { limits, answer } = settingsOf([]);
  for (const name of names) assert.equal(limits[name], LIMITS[name].default, name);
  assert.equal(answer, "auto");
});

for (const name of names) {
  const { flag, minimum, maximum, unit } = LIMITS[name];
  const range = `must be between ${minimum.toLocaleString("en-US")} and ${maximum.toLocaleString("en-US")} ${unit}`;
  test(`--${flag} is taken at both ends of its range and refused beyond`, () => {
    assert.equal(settingsOf([`--${flag}=${String(minimum)}`]).limits[name], minimum);
    assert.equal(settingsOf([`--${flag}`, String(maximum)]).limits[name], maximum);
    const over = maximum + 1;
    refuses([`--${flag}=${String(over)}`], `--${flag} ${range}, and was ${over.toLocaleString("en-US")}.`);
    if (minimum > 0) refuses([`--${flag}=0`], `--${flag} ${range}, and was 0.`);
  });
}

test("a variable sets a limit, and a flag wins over it", () => {
  assert.equal(settingsOf([], { BELLJAR_TIMEOUT_MS: "100" }).limits.timeout, 100);
  assert.equal(settingsOf(["--timeout-ms=200"], { BELLJAR_TIMEOUT_MS: "100" }).limits.timeout, 200);
  assert.equal(settingsOf(["--timeout-ms=200"], { BELLJAR_TIMEOUT_MS: "nonsense" }).limits.timeout, 200);
});

test("values that are no whole numbers are refused with their source and text", () => {
  for (const text of ["", "abc", "1.5", "-1", "1e3", "0x10", " 5"]) {
    const message = `BELLJAR_FUEL must be a whole number of instructions, and was ${JSON.stringify(text)}.`;
    refuses([], message, { BELLJAR_FUEL: text });
  }
});

test("an answer that is none of the choices is refused with them named", () => {
  refuses(["--answer=all"], '--answer must be one of auto, text, structured, both, and was "all".');
});

test("an unknown flag and one without its value are refused", () => {
  assert.throws(() => parseCommandLine(["--frobnicate"]), { message: /^Unknown flag --frobnicate\. Known flags: --timeout-ms, / });
  assert.throws(() => parseCommandLine(["-x"]), { message: /^Unknown flag -x\. / });
  assert.throws(() => parseCommandLine(["--fuel"]), { message: "--fuel needs a value: --fuel=…." });
  const own = { switches: ["json"] };
  assert.throws(() => parseCommandLine(["--json=1"], own), { message: "--json takes no value." });
});

test("short flags, switches and the end of flags are told apart", () => {
  const own = { valued: ["code"], switches: ["json"], short: { "-c": "code" } };
  const line = parseCommandLine(["-c", "--json", "--json", "-", "--", "--fuel"], own);
  assert.deepEqual([...line.values], [["code", "--json"]]);
  assert.deepEqual([...line.switches], ["json"]);
  assert.deepEqual(line.rest, ["-", "--fuel"]);
});
