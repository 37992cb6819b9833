/**
 * Bytes of a state in one message, at most: they are copied between two processes by their threads, which have other
 * sandboxes to serve meanwhile.
 */
export const PART_BYTES = 1_048_576;
