import { configSchema } from "./config.ts";
import { EXIT, type Invocation } from "./command.ts";

/** `belljar schema`: the JSON Schema of the config file. */
export function schema({ stdout }: Invocation): Promise<number> {
  stdout.write(`${JSON.stringify(configSchema(), undefined, 2)}\n`);
  return Promise.resolve(EXIT.ok);
}
