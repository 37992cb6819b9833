/**
 * The control flow of one function, in the form that placing charges needs: a segment is code that runs from its
 * start to its end or not at all, a point is where segments meet. All that follow one another at some branch share
 * one point, so the branches of structured code make points merge and segments run between them.
 */
export interface Graph {
  /** Per segment: offset of its first instruction, fuel, points it leads from and to, estimated runs per call. */
  readonly start: number[];
  readonly cost: number[];
  readonly from: number[];
  readonly to: number[];
  readonly runs: number[];
  /** Per segment, whether the counter is tested where it begins: function entry and loop heads. */
  readonly tested: boolean[];
  /** Per segment, how many calls it holds: at each an exception can leave it in its middle. */
  readonly calls: number[];
  /** Per point, the point it was merged with, or itself. */
  readonly merged: number[];
}

/** Function entry and function exit: one point, since what a call costs is settled between the two. */
export const OUTSIDE = 0;

export function newGraph(): Graph {
  return { start: [], cost: [], from: [], to: [], runs: [], tested: [], calls: [], merged: [] };
}

export function resetGraph(graph: Graph): void {
  for (const column of [graph.start, graph.cost, graph.from, graph.to, graph.runs, graph.tested, graph.calls]) column.length = 0;
  graph.merged.length = 0;
  newPoint(graph);
}

export function newPoint(graph: Graph): number {
  return graph.merged.push(graph.merged.length) - 1;
}

/** The point that stands for all that `point` was merged with. */
export function pointOf(graph: Graph, point: number): number {
  let root = point;
  for (let up = graph.merged[root]; up !== undefined && up !== root; up = graph.merged[root]) root = up;
  for (let at = point; at !== root; ) {
    const up = graph.merged[at] ?? root;
    graph.merged[at] = root;
    at = up;
  }
  return root;
}

export function mergePoints(graph: Graph, one: number, other: number): void {
  const a = pointOf(graph, one);
  const b = pointOf(graph, other);
  // Outside stays the root of its own.
  graph.merged[Math.max(a, b)] = Math.min(a, b);
}

export function newSegment(graph: Graph, start: number, from: number, runs: number, tested: boolean): number {
  graph.cost.push(0);
  graph.from.push(from);
  graph.to.push(OUTSIDE);
  graph.runs.push(runs);
  graph.tested.push(tested);
  graph.calls.push(0);
  return graph.start.push(start) - 1;
}
