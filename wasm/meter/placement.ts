import { type Graph, OUTSIDE, pointOf } from "./graph.ts";

/** A point's way to the root of its tree, and how much more is owed at the point than at the next on the way. */
interface Forest {
  readonly parent: number[];
  readonly owed: number[];
}

interface Place {
  readonly root: number;
  /** How much more is owed at the point than at the root. */
  readonly owed: number;
}

function find(forest: Forest, point: number): Place {
  let root = point;
  let owed = 0;
  for (let up = forest.parent[root]; up !== undefined && up !== root; up = forest.parent[root]) {
    owed += forest.owed[root] ?? 0;
    root = up;
  }
  let rest = owed;
  for (let at = point; at !== root; ) {
    const up = forest.parent[at] ?? root;
    const step = forest.owed[at] ?? 0;
    forest.parent[at] = root;
    forest.owed[at] = rest;
    rest -= step;
    at = up;
  }
  return { root, owed };
}

/** The segments in the order in which they are to be spared a charge. */
function bySaving(graph: Graph): number[] {
  // Where the counter is tested it is in hand anyway.
  const rank = (segment: number): number => (graph.tested[segment] === true ? -1 : (graph.runs[segment] ?? 0));
  return graph.cost.map((_, segment) => segment).sort((a, b) => rank(b) - rank(a) || a - b);
}

/**
 * What each segment charges, so that every way through the function charges exactly the sum of its segments' costs
 * and the segments that run most charge nothing (Knuth's spanning tree of measured edges: a segment in the tree is
 * paid by the others). A charge can be negative: a way back of what was charged ahead.
 */
export function placeCharges(graph: Graph): readonly number[] {
  const forest: Forest = { parent: graph.merged.map((_, point) => point), owed: graph.merged.map(() => 0) };
  const placeOf = (point: number | undefined): Place => find(forest, pointOf(graph, point ?? OUTSIDE));
  const charges = graph.cost.map(() => 0);
  for (const segment of bySaving(graph)) {
    const cost = graph.cost[segment] ?? 0;
    const from = placeOf(graph.from[segment]);
    const to = placeOf(graph.to[segment]);
    if (from.root !== to.root) {
      forest.parent[to.root] = from.root;
      forest.owed[to.root] = from.owed + cost - to.owed;
    } else charges[segment] = cost + from.owed - to.owed;
  }
  const outside = placeOf(OUTSIDE).owed;
  return isPaidAhead(graph, (point) => placeOf(point).owed - outside) ? charges : graph.cost;
}

/**
 * Whether at least one is charged before any call can throw, whichever way was taken: else a function could be
 * entered and left by exceptions for ever, and never reach the charge that it owes.
 */
function isPaidAhead(graph: Graph, owedAt: (point: number) => number): boolean {
  const least = graph.merged.map(() => Number.POSITIVE_INFINITY);
  least[OUTSIDE] = 0;
  return graph.cost.every((cost, segment) => {
    const reached = (least[pointOf(graph, graph.from[segment] ?? OUTSIDE)] ?? 0) + cost;
    const to = pointOf(graph, graph.to[segment] ?? OUTSIDE);
    if (to !== OUTSIDE) least[to] = Math.min(least[to] ?? reached, reached);
    return (graph.calls[segment] ?? 0) === 0 || owedAt(to) < reached;
  });
}
