/** Writes one line to stderr; stdout belongs to the protocol. */
export function log(message: string): void {
  process.stderr.write(`belljar: ${message}\n`);
}
