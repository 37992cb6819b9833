import { isBelljarError } from "../../base/errors.ts";
import { moment } from "../../base/moments.ts";
import { LIMITS, type Language } from "../../policy/limits.ts";
import { annotationsOf, reachOf } from "../../policy/grant-words.ts";
import { outcomeSchema, type Outcome } from "../../policy/outcome.ts";
import { sentences } from "../../policy/sentences.ts";
import type { Settings } from "../../policy/settings.ts";
import type { RunRequest } from "../../sandbox/sandboxes.ts";
import { argumentsOf, code, limit, sandboxName } from "../arguments.ts";
import { answer, refused } from "../content.ts";
import { files } from "../files.ts";
import { LONGEST_TEXT } from "../text.ts";
import { defineTool, type Tool } from "./tool.ts";

/** What sets one execute tool apart from another. */
export interface ExecuteWords {
  readonly language: Language;
  readonly name: string;
  readonly title: string;
  /** The description, with what there is of network and files put in. */
  readonly describe: (reach: string) => string;
  readonly code: string;
}

const SANDBOX_WORDS = "name of a sandbox that keeps variables, imports and files from call to call; made on first use";

/** Makes the tool that runs code of one language. */
export function executeTool(words: ExecuteWords, settings: Settings): Tool {
  const { language, name, title } = words;
  const { limits, grants } = settings;
  const [memory, memorySetting] =
    language === "python"
      ? [LIMITS.pythonMemory, limits.pythonMemory]
      : [LIMITS.javascriptMemory, limits.javascriptMemory];
  return defineTool({
    name,
    title,
    description: words.describe(reachOf(grants)),
    annotations: annotationsOf(grants),
    arguments: argumentsOf({
      code: code(language, words.code, limits.code),
      sandbox: sandboxName("sandbox", SANDBOX_WORDS).optional(),
      timeout_ms: limit(LIMITS.timeout, limits.timeout),
      memory_mb: limit(memory, memorySetting),
      fuel: limit(LIMITS.fuel, limits.fuel),
      files: files(limits.files),
    }),
    output: outcomeSchema,
    hints: { "anthropic/maxResultSizeChars": 5 * LONGEST_TEXT },
    handle: async (given, { sandboxes, kept, signal, onProgress, profile, shape }) => {
      const request = {
        language,
        code: given.code,
        timeoutMs: given.timeout_ms,
        fuel: given.fuel,
        memoryMb: given.memory_mb,
        files: given.files,
        ...(given.sandbox === undefined ? {} : { sandbox: given.sandbox }),
      };
      try {
        const opened = await sandboxes;
        profile?.(moment("reading"));
        const finished = await opened.run(request, {
          signal,
          ...(onProgress && { onProgress: (progress) => onProgress(progress, request.timeoutMs) }),
          profile: profile !== undefined,
        });
        const outcome = withAdvice(finished.outcome, request, settings, memorySetting);
        const told = answer({ ...finished, outcome }, { shape, kept, keptMinutes: limits.keptTime });
        profile?.(...(finished.moments ?? []), moment("its words"));
        return told;
      } catch (error) {
        if (isBelljarError(error)) return refused(error.message);
        throw error;
      }
    },
  });
}

/** Adds how far a limit can be raised to an outcome that it stopped; nothing when it is at its most. */
function withAdvice(outcome: Outcome, request: RunRequest, { limits }: Settings, memorySetting: number): Outcome {
  const [argument, used, most] =
    outcome.status === "timeout"
      ? (["timeout_ms", request.timeoutMs, limits.timeout] as const)
      : outcome.status === "out_of_fuel"
        ? (["fuel", request.fuel, limits.fuel] as const)
        : (["memory_mb", request.memoryMb, memorySetting] as const);
  const stopped = ["timeout", "out_of_fuel", "out_of_memory"].includes(outcome.status);
  if (!stopped || used >= most) return outcome;
  return { ...outcome, notes: [...(outcome.notes ?? []), sentences.mayRaise(argument, most)] };
}
