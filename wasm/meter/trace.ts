import { COST, ENTRY_COST } from "./cost.ts";
import { type Graph, mergePoints, newGraph, newPoint, newSegment, OUTSIDE, resetGraph } from "./graph.ts";
import { newInstruction, readInstruction, type Spaces } from "./instruction.ts";
import { isBulk, OP } from "./opcodes.ts";
import { type Cursor, refuse } from "./reader.ts";

/** What was met on the way through one function. Used again for the next one. */
export interface Trace {
  readonly graph: Graph;
  /** Offsets of bulk operations. */
  readonly bulk: number[];
  /** Whether exceptions are caught here. */
  catches: boolean;
  loops: number;
  /** Calls and tail calls. */
  calls: number;
}

interface Frame {
  readonly op: number;
  /** The point that a branch to this label leads to. */
  readonly label: number;
  /** The point that the other arm of an `if` begins at. */
  readonly other: number;
  /** Runs per call of the code before it: more often its end can't be reached. */
  readonly before: number;
  readonly live: boolean;
  /** Runs per call that come to its end; undefined when nothing does. */
  arriving: number | undefined;
}

const LOOP_RUNS = 10;

export function newTrace(): Trace {
  return { graph: newGraph(), bulk: [], catches: false, loops: 0, calls: 0 };
}

const instruction = newInstruction();

/**
 * Reads one function's instructions to its end and finds the segments.
 * @param cursor at the first instruction; afterwards at the end
 * @param locals parameters and locals of the function
 * @throws BAD_MODULE for labels and nesting that don't fit, and whatever {@link readInstruction} refuses
 */
export function traceBody(cursor: Cursor, spaces: Spaces, locals: number, into: Trace): void {
  const { graph, bulk } = into;
  resetGraph(graph);
  bulk.length = 0;
  into.catches = false;
  into.loops = 0;
  into.calls = 0;
  const frames: Frame[] = [{ op: OP.block, label: OUTSIDE, other: OUTSIDE, before: 1, live: true, arriving: undefined }];
  let runs = 1;
  let segment: number | undefined = newSegment(graph, cursor.at, OUTSIDE, 1, true);
  graph.cost[segment] = ENTRY_COST;

  const begin = (point: number, often: number, tested = false): void => {
    runs = often;
    segment = newSegment(graph, cursor.at, point, often, tested);
  };
  /** Ends the segment at a point of its own, for branches to be joined to. */
  const fork = (): number => {
    const point = newPoint(graph);
    if (segment !== undefined) graph.to[segment] = point;
    return point;
  };
  const branch = (point: number, label: number, often: number): void => {
    const frame = frames[frames.length - 1 - label];
    if (frame === undefined) refuse(cursor, `label ${label} of ${frames.length}`, instruction.at);
    mergePoints(graph, point, frame.label);
    if (frame.op !== OP.loop) frame.arriving = (frame.arriving ?? 0) + often;
  };
  const push = (op: number, label: number, other: number): void => {
    frames.push({ op, label, other, before: runs, live: segment !== undefined, arriving: undefined });
  };
  const leave = (): void => {
    if (segment !== undefined) graph.to[segment] = OUTSIDE;
    segment = undefined;
  };

  const enter = (op: number): void => {
    if (op === OP.block) push(op, newPoint(graph), OUTSIDE);
    else if (op === OP.loop) {
      into.loops++;
      const head = fork();
      push(op, head, OUTSIDE);
      if (segment !== undefined) begin(head, runs * LOOP_RUNS, true);
    } else if (op === OP.if) {
      const fork1 = fork();
      push(op, newPoint(graph), fork1);
      if (segment !== undefined) begin(fork1, runs / 2);
    } else {
      into.catches = true;
      push(op, newPoint(graph), OUTSIDE);
      if (op === OP.tryTable && segment !== undefined) {
        // Seen from inside, each catch is a branch out of the block that now is the innermost.
        for (const target of instruction.targets) branch(newPoint(graph), target + 1, 0);
      }
    }
  };

  const arrive = (frame: Frame): void => {
    if (segment === undefined) return;
    graph.to[segment] = frame.label;
    frame.arriving = (frame.arriving ?? 0) + runs;
  };

  const alternative = (op: number): void => {
    const frame = frames.at(-1);
    if (frame === undefined || (op === OP.else) !== (frame.op === OP.if)) refuse(cursor, "an arm without its block", instruction.at);
    if (op !== OP.else && frame.op !== OP.try) refuse(cursor, "a catch without its try", instruction.at);
    arrive(frame);
    if (!frame.live) return;
    if (op === OP.else) {
      frames[frames.length - 1] = { ...frame, op: OP.else };
      begin(frame.other, frame.before / 2);
    } else begin(newPoint(graph), 0);
  };

  const finish = (): void => {
    const frame = frames.pop();
    if (frame === undefined) return refuse(cursor, "an end too many", instruction.at);
    if (frame.op === OP.loop) {
      runs = Math.min(runs, frame.before);
      return;
    }
    if (frame.op === OP.if && frame.live) {
      mergePoints(graph, frame.other, frame.label);
      frame.arriving = (frame.arriving ?? 0) + frame.before / 2;
    }
    // A block that no branch leads out of changes nothing: its segment goes on.
    if (frame.arriving === undefined && frame.op === OP.block && frames.length > 0) return;
    arrive(frame);
    segment = undefined;
    if (frame.arriving !== undefined && frames.length > 0) begin(frame.label, Math.min(frame.arriving, frame.before));
  };

  while (frames.length > 0) {
    readInstruction(cursor, spaces, locals, instruction);
    const { op } = instruction;
    if (segment !== undefined) graph.cost[segment] = (graph.cost[segment] ?? 0) + (COST[op] ?? 1);
    switch (op) {
      case OP.block: case OP.loop: case OP.if: case OP.try: case OP.tryTable:
        enter(op);
        break;
      case OP.else: case OP.catch: case OP.catchAll:
        alternative(op);
        break;
      case OP.end: case OP.delegate:
        finish();
        break;
      case OP.br: case OP.brIf: case OP.brOnNull: case OP.brOnNonNull: {
        const point = fork();
        if (segment !== undefined) branch(point, instruction.index, op === OP.br ? runs : runs / 2);
        if (op === OP.br) segment = undefined;
        else if (segment !== undefined) begin(point, runs / 2);
        break;
      }
      case OP.brTable: {
        const point = fork();
        const { targets } = instruction;
        if (segment !== undefined) for (const target of targets) branch(point, target, runs / targets.length);
        segment = undefined;
        break;
      }
      case OP.unreachable:
        fork();
        segment = undefined;
        break;
      case OP.returnCall: case OP.returnCallIndirect: case OP.returnCallRef:
        into.calls++;
        leave();
        break;
      case OP.return: case OP.throw: case OP.throwRef: case OP.rethrow:
        leave();
        break;
      case OP.call: case OP.callIndirect: case OP.callRef:
        into.calls++;
        break;
      case OP.misc:
        if (isBulk(instruction.sub)) bulk.push(instruction.at);
        break;
      default:
    }
  }
  if (cursor.at !== cursor.end) refuse(cursor, "code after the end of its function");
}
