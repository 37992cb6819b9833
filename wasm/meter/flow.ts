import { type Graph, mergePoints, newGraph, newPoint, newSegment, OUTSIDE, resetGraph } from "./graph.ts";
import { OP } from "./opcodes.ts";

/** A block that is open. */
interface Frame {
  /** What opened it; `else` once its second arm has begun. */
  readonly op: number;
  /** The point that a branch to its label leads to. */
  readonly label: number;
  /** The point that the second arm of an `if` begins at. */
  readonly other: number;
  /** Runs per call of the code before it: its end can't be reached more often. */
  readonly before: number;
  /** Whether the code before it can be reached. */
  readonly live: boolean;
  /** Runs per call that come to its end, as far as known; undefined when nothing does. */
  arriving: number | undefined;
}

/** The walk through one function's blocks, which makes its graph. */
export interface Flow {
  readonly graph: Graph;
  readonly frames: Frame[];
  /** The segment that the walk is in; undefined where code can't be reached. */
  segment: number | undefined;
  /** Runs per call of the code that the walk is at, guessed: half for each way of a branch. */
  runs: number;
}

/** How often the guess lets a loop turn. */
export const LOOP_RUNS = 10;

export function newFlow(): Flow {
  return { graph: newGraph(), frames: [], segment: undefined, runs: 1 };
}

/** Begins a function at offset `at`. */
export function startFlow(flow: Flow, at: number): void {
  resetGraph(flow.graph);
  flow.frames.length = 0;
  flow.frames.push({ op: OP.block, label: OUTSIDE, other: OUTSIDE, before: 1, live: true, arriving: undefined });
  begin(flow, at, OUTSIDE, 1, true);
}

export function addCost(flow: Flow, cost: number): void {
  const { graph, segment } = flow;
  if (segment !== undefined) graph.cost[segment] = (graph.cost[segment] ?? 0) + cost;
}

/** Notes a call. */
export function addCall(flow: Flow): void {
  if (flow.segment !== undefined) flow.graph.calls[flow.segment] = (flow.graph.calls[flow.segment] ?? 0) + 1;
}

function begin(flow: Flow, at: number, point: number, runs: number, tested = false): void {
  flow.runs = runs;
  flow.segment = newSegment(flow.graph, at, point, runs, tested);
}

/** Ends the segment at a point of its own. */
function fork(flow: Flow): number {
  const point = newPoint(flow.graph);
  if (flow.segment !== undefined) flow.graph.to[flow.segment] = point;
  return point;
}

/** Joins a point with that of a label. @returns false when there is no such label */
function join(flow: Flow, point: number, label: number, runs: number): boolean {
  const frame = flow.frames[flow.frames.length - 1 - label];
  if (frame === undefined) return false;
  mergePoints(flow.graph, point, frame.label);
  if (frame.op !== OP.loop) frame.arriving = (frame.arriving ?? 0) + runs;
  return true;
}

function push(flow: Flow, op: number, label: number, other: number): void {
  flow.frames.push({ op, label, other, before: flow.runs, live: flow.segment !== undefined, arriving: undefined });
}

/** Opens a block, loop, if or try, whose code begins at offset `at`. */
export function enter(flow: Flow, op: number, at: number): void {
  const live = flow.segment !== undefined;
  if (op === OP.loop) {
    const head = fork(flow);
    push(flow, op, head, OUTSIDE);
    if (live) begin(flow, at, head, flow.runs * LOOP_RUNS, true);
  } else if (op === OP.if) {
    const arms = fork(flow);
    push(flow, op, newPoint(flow.graph), arms);
    if (live) begin(flow, at, arms, flow.runs / 2);
  } else push(flow, op, newPoint(flow.graph), OUTSIDE);
}

/** Notes the labels of the catches of the try_table just entered. @returns false when there is no such label */
export function catchTo(flow: Flow, labels: readonly number[]): boolean {
  if (flow.segment === undefined) return true;
  // The labels count from outside the block that now is the innermost.
  return labels.every((label) => join(flow, newPoint(flow.graph), label + 1, 0));
}

function arrive(flow: Flow, frame: Frame): void {
  if (flow.segment === undefined) return;
  flow.graph.to[flow.segment] = frame.label;
  frame.arriving = (frame.arriving ?? 0) + flow.runs;
}

/** Begins the second arm of an if, or a legacy catch, at offset `at`. @returns false when no such block is open */
export function alternative(flow: Flow, op: number, at: number): boolean {
  const frame = flow.frames.at(-1);
  if (frame === undefined || frame.op !== (op === OP.else ? OP.if : OP.try)) return false;
  arrive(flow, frame);
  flow.segment = undefined;
  if (op === OP.else) flow.frames[flow.frames.length - 1] = { ...frame, op };
  if (!frame.live) return true;
  if (op === OP.else) begin(flow, at, frame.other, frame.before / 2);
  else begin(flow, at, newPoint(flow.graph), 0);
  return true;
}

/** Closes the innermost block; what follows begins at offset `at`. */
export function finish(flow: Flow, at: number): void {
  const frame = flow.frames.pop();
  if (frame === undefined) return;
  if (frame.op === OP.loop) {
    flow.runs = Math.min(flow.runs, frame.before);
    return;
  }
  if (frame.op === OP.if && frame.live) {
    mergePoints(flow.graph, frame.other, frame.label);
    frame.arriving = (frame.arriving ?? 0) + frame.before / 2;
  }
  const last = flow.frames.length === 0;
  // No branch leads to the end of this block, so the segment goes on behind it.
  if (frame.arriving === undefined && frame.op === OP.block && !last) return;
  arrive(flow, frame);
  flow.segment = undefined;
  if (frame.arriving !== undefined && !last) begin(flow, at, frame.label, Math.min(frame.arriving, frame.before));
}

/**
 * Branches to one of several labels; with `falls` the code at offset `at` is one more way.
 * @returns false when there is no such label
 */
export function branch(flow: Flow, labels: readonly number[], falls: boolean, at: number): boolean {
  if (flow.segment === undefined) return true;
  const point = fork(flow);
  const runs = flow.runs / (labels.length + (falls ? 1 : 0));
  if (!labels.every((label) => join(flow, point, label, runs))) return false;
  flow.segment = undefined;
  if (falls) begin(flow, at, point, runs);
  return true;
}

/** Leaves the function: by a return, a tail call or a throw. */
export function leave(flow: Flow): void {
  if (flow.segment !== undefined) flow.graph.to[flow.segment] = OUTSIDE;
  flow.segment = undefined;
}

/** Traps: nothing has to be settled any more. */
export function trap(flow: Flow): void {
  fork(flow);
  flow.segment = undefined;
}
