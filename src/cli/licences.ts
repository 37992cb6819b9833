import { openAsset } from "../engine/assets.ts";
import { decodePack } from "../host/files/pack.ts";
import { usage } from "../policy/sentences.ts";
import { EXIT, type Invocation } from "./command.ts";
import { misuse } from "./misuse.ts";

/** `belljar licences`: the terms of all that is packed, one after another, each under its own name. */
export async function licences({ args, stdout }: Invocation): Promise<number> {
  const [extra] = args;
  if (extra !== undefined) throw misuse(usage.unexpected(extra));
  const decoder = new TextDecoder();
  for (const [name, bytes] of decodePack(openAsset("licences.pack"))) {
    stdout.write(`== ${name}\n\n${decoder.decode(bytes).trim()}\n\n`);
  }
  return EXIT.ok;
}
