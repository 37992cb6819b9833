/** One step of the build; it runs again only when something that it is made from has changed. */
export interface Step {
  readonly name: string;
  /** Files and folders it is made from, relative to the checkout; its own sources among them. */
  readonly inputs: readonly string[];
  /** Steps whose outputs it reads. */
  readonly after: readonly string[];
  /** Files and folders it makes, relative to the checkout. */
  readonly outputs: readonly string[];
  /** @throws BuildError when a person has to do something about it. */
  run(): Promise<void> | void;
}

/** A failure whose message says what to do; shown without a stack. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** Tells a person what the build is doing; stdout is left to what the build runs. */
export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}
