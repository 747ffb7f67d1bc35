/**
 * The cycles of a graph, one per strongly connected component (Tarjan), in linear time and without recursion: a chain may be
 * longer than the stack. Each begins with its first node in the given order and follows the edges back.
 */
export function findCycles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  for (const component of components(next)) {
    const members = new Set(component);
    const [start] = component.toSorted();
    const isCycle = component.length > 1 || (start !== undefined && next.get(start)?.includes(start));
    if (start !== undefined && isCycle) cycles.push(shortestWayBack(next, members, start));
  }
  return cycles;
}

function shortestWayBack(
  next: ReadonlyMap<string, readonly string[]>,
  members: ReadonlySet<string>,
  start: string,
): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const target of next.get(node) ?? []) {
      if (target === start) {
        const way = [node];
        for (let at = node; at !== start; ) {
          at = cameFrom.get(at) as string;
          way.push(at);
        }
        return way.reverse();
      }
      if (!members.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [start];
}

function components(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const found: string[][] = [];
  for (const root of next.keys()) {
    if (order.has(root)) continue;
    const work: { node: string; edge: number }[] = [{ node: root, edge: 0 }];
    while (work.length > 0) {
      const step = work.at(-1)!;
      const { node } = step;
      if (step.edge === 0) {
        order.set(node, order.size);
        low.set(node, order.get(node)!);
        stack.push(node);
        onStack.add(node);
      }
      const target = next.get(node)?.[step.edge++];
      if (target !== undefined) {
        if (!order.has(target)) work.push({ node: target, edge: 0 });
        else if (onStack.has(target)) low.set(node, Math.min(low.get(node)!, order.get(target)!));
        continue;
      }
      work.pop();
      const parent = work.at(-1)?.node;
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent)!, low.get(node)!));
      if (low.get(node) !== order.get(node)) continue;
      const component: string[] = [];
      let member: string;
      do {
        member = stack.pop()!;
        onStack.delete(member);
        component.push(member);
      } while (member !== node);
      found.push(component);
    }
  }
  return found;
}
