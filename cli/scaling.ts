import type { NodeSetOutput } from "./stackOutputs.ts";

type NodeSets = Readonly<Record<string, NodeSetOutput>>;

/**
 * Which NodeSets an update made larger or smaller, one line each; empty when none.
 * A NodeSet that an autoscaler owns is left out: the stack gives it its first number of nodes only.
 * @param before NodeSets of the last update; undefined for a new stack, which grows nothing
 */
export function scaleReport(before: NodeSets | undefined, after: NodeSets): string[] {
  if (before === undefined) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (now?.replicasOwnedBy === "autoscaler") return [];
    const [from, to] = [old?.replicas ?? 0, now?.replicas ?? 0];
    if (now === undefined) return [`NodeSet ${name} goes, with its ${nodes(from)}`];
    if (from === to) return [];
    if (to > from)
      return [`NodeSet ${name} grows from ${from} to ${nodes(to)}: ${added(name, from, to)}`];
    return [
      `NodeSet ${name} shrinks from ${from} to ${nodes(to)}: the operator drains ${added(name, to, from)} ` +
        "first, and jobs on them run to their end",
    ];
  });
}

function nodes(count: number): string {
  return count === 1 ? "1 node" : `${count} nodes`;
}

/** Slurm names of the nodes with ordinals from `first` up to `end`, which is not among them. */
function added(nodeSet: string, first: number, end: number): string {
  return end - first === 1 ? `${nodeSet}-${first}` : `${nodeSet}-[${first}-${end - 1}]`;
}
