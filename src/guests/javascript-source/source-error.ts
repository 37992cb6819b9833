/** A syntax error with its place in the code as it was given, an offset from 0. */
export class SourceError extends SyntaxError {
  readonly offset: number;
  /** True when the message tells of something that is not supported, and so says more than any other. */
  readonly isSure: boolean;

  constructor(message: string, offset: number, isSure = false) {
    super(message);
    this.offset = offset;
    this.isSure = isSure;
  }
}
