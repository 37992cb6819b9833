import * as z from "zod";
import type { Language, LimitSpec } from "../policy/limits.ts";
import { SANDBOX_NAME } from "../policy/names.ts";
import { number, refusals } from "../policy/sentences.ts";

/** An object of exactly these arguments; others are refused with these named. */
export function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? refusals.unknownArguments(issue.keys, Object.keys(shape)) : undefined,
  });
}

/** A text argument that must be there. */
export function text(name: string, words: string): z.ZodString {
  return z
    .string({
      error: ({ input }) =>
        input === undefined ? refusals.missingArgument(name, words) : refusals.wrongType(name, "a string", input),
    })
    .describe(words);
}

/** The name of a sandbox: one word that can stand in a sentence and in a file's name. */
export function sandboxName(argument: string, words: string): z.ZodString {
  return text(argument, words)
    .meta({ pattern: SANDBOX_NAME.source })
    .check((context) => {
      const message = refuseName(argument, context.value);
      if (message !== undefined) context.issues.push({ code: "custom", input: context.value, message });
    });
}

/** Says why a text is no name of a sandbox, or nothing when it is one. */
export function refuseName(argument: string, given: string): string | undefined {
  return SANDBOX_NAME.test(given) ? undefined : refusals.badName(argument, given);
}

/** The code to run: not empty, at most `maximum` bytes of UTF-8, no lone surrogates. */
export function code(language: Language, words: string, maximum: number): z.ZodString {
  return text("code", words)
    .meta({ minLength: 1 })
    .check((context) => {
      const message = refuseCode(language, context.value, maximum);
      if (message !== undefined) context.issues.push({ code: "custom", input: context.value, message });
    });
}

/** Says why code cannot be run, or nothing when it can. */
export function refuseCode(language: Language, given: string, maximum: number): string | undefined {
  if (given.trim() === "") return refusals.emptyCode(language);
  const bytes = Buffer.byteLength(given, "utf8");
  if (bytes > maximum) return refusals.longCode(bytes, maximum);
  if (given.isWellFormed()) return undefined;
  const at = given.search(/\p{Surrogate}/u);
  const before = given.slice(0, at).split("\n");
  return refusals.loneSurrogate(given.charCodeAt(at), before.length, (before.at(-1) ?? "").length + 1);
}

/** A limit that one call may lower: by default, and at most, what the server itself is set to. */
export function limit(spec: LimitSpec & { readonly argument: string }, setting: number): z.ZodDefault<z.ZodInt> {
  const { argument, unit, minimum } = spec;
  const tooBig = (input: unknown): string => refusals.tooBig(argument, setting, unit, Number(input));
  return z
    .int({
      error: (issue) =>
        issue.code === "too_big" ? tooBig(issue.input) : refusals.wrongType(argument, "a whole number", issue.input),
    })
    .min(minimum, { error: ({ input }) => refusals.tooSmall(argument, minimum, unit, Number(input)) })
    .max(setting, { error: ({ input }) => tooBig(input) })
    .default(setting)
    .describe(`${spec.words}: ${number(minimum)} to ${number(setting)} ${unit}, by default ${number(setting)}`);
}

/** Checks a tool's arguments; a refusal says all that is wrong at once, one sentence each. */
export function checkArguments<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  raw: unknown,
): { readonly value: z.output<z.ZodObject<Shape, z.core.$strict>> } | { readonly refusal: string } {
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return { value: parsed.data };
  return { refusal: [...new Set(parsed.error.issues.map((issue) => issue.message))].join(" ") };
}
