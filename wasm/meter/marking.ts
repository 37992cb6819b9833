import type { Mark, MarkedLoop, Marks, Range } from "./marks.ts";
import { OP } from "./opcodes.ts";
import { putMark } from "./record.ts";
import { put, putSigned, putU32, type Writer } from "./writer.ts";

/** Something of the pass's own that stands before the instruction at an offset. */
export interface Written {
  readonly at: number;
  write(): void;
}

/** How the marks of one function are written. */
export interface Marking {
  readonly spots: readonly Written[];
  /** How many i32 locals it takes. */
  readonly locals: number;
  /** Writes what has to be marked before the host is called at the head of the loop at an offset: it may end the guest there. */
  atHead(offset: number): void;
}

/** @param firstLocal where its locals begin; @param marker index of the function that marks all pages from an address to another */
export function markWriter(out: Writer, { marks, loops }: Marks, firstLocal: number, marker: number): Marking {
  const kept = marks.reduce((most, { isOwn, local }) => (isOwn ? Math.max(most, local + 1) : most), 0);
  const begun = firstLocal + kept;
  const get = (local: number): void => {
    put(out, OP.localGet);
    putU32(out, local);
  };

  const writeMark = ({ kind, local, isOwn, offset }: Mark): void => {
    const index = isOwn ? firstLocal + local : local;
    if (kind === "mark") return putMark(out, index, offset);
    put(out, OP.localTee);
    putU32(out, index);
  };

  const begin = ({ ranges }: MarkedLoop): void => {
    for (const [index, { local }] of ranges.entries()) {
      get(local);
      put(out, OP.localSet);
      putU32(out, begun + index);
    }
  };

  /** The last address that was written to. */
  const last = ({ local, step, unused }: Range): void => {
    get(local);
    if (unused === 0) return;
    if (step.constant === undefined) get(step.local);
    else {
      put(out, OP.i32Const);
      putSigned(out, step.constant * unused);
    }
    put(out, step.op === OP.i32Add ? OP.i32Sub : OP.i32Add);
  };

  const end = ({ ranges }: MarkedLoop): void => {
    for (const [index, range] of ranges.entries()) {
      get(begun + index);
      last(range);
      put(out, OP.call);
      putU32(out, marker);
    }
  };

  const heads = new Map(loops.map((loop) => [loop.head, loop]));
  return {
    spots: [
      ...loops.flatMap((loop) => [{ at: loop.at, write: () => begin(loop) }, { at: loop.end, write: () => end(loop) }]),
      ...marks.map((mark) => ({ at: mark.at, write: () => writeMark(mark) })),
    ],
    locals: kept + loops.reduce((most, { ranges }) => Math.max(most, ranges.length), 0),
    atHead(offset) {
      const loop = heads.get(offset);
      if (loop !== undefined) end(loop);
    },
  };
}
