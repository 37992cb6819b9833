import { type Graph, OUTSIDE, pointOf } from "./graph.ts";

/** A point's way to the root of its tree, and what is owed at the point more than at the next on the way. */
interface Forest {
  readonly parent: number[];
  readonly owed: number[];
}

function find(forest: Forest, point: number): { root: number; owed: number } {
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

/**
 * What each segment charges, so that every way through the function charges exactly the sum of its segments' costs
 * and the segments that run most charge nothing (Knuth's spanning tree of measured edges: a segment in the tree is
 * paid by the others). A charge can be negative: a way back of what was charged ahead. Tested segments are the last
 * to be spared, since they hold the counter in hand anyway.
 */
export function placeCharges(graph: Graph): number[] {
  const count = graph.cost.length;
  const order = Array.from({ length: count }, (_, segment) => segment);
  const rank = (segment: number): number => (graph.tested[segment] === true ? -1 : (graph.runs[segment] ?? 0));
  order.sort((a, b) => rank(b) - rank(a) || a - b);
  const forest: Forest = { parent: graph.merged.map((_, point) => point), owed: graph.merged.map(() => 0) };
  const charges = graph.cost.map(() => 0);
  for (const segment of order) {
    const cost = graph.cost[segment] ?? 0;
    const from = find(forest, pointOf(graph, graph.from[segment] ?? OUTSIDE));
    const to = find(forest, pointOf(graph, graph.to[segment] ?? OUTSIDE));
    if (from.root !== to.root) {
      forest.parent[to.root] = from.root;
      forest.owed[to.root] = from.owed + cost - to.owed;
    } else charges[segment] = cost + from.owed - to.owed;
  }
  return charges;
}
