interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** The box that an arrow key leads to: the nearest one in that direction, the straighter the better. */
export function stepFrom(boxes: readonly Placed[], id: string, key: string): string | undefined {
  const way = WAYS[key];
  const start = boxes.find((box) => box.id === id);
  if (!way || !start) return undefined;
  const middle = ({ x, y, width, height }: Placed) => [x + width / 2, y + height / 2] as const;
  const [x, y] = middle(start);
  let best: { readonly id: string; readonly cost: number } | undefined;
  for (const box of boxes) {
    const [otherX, otherY] = middle(box);
    const along = (otherX - x) * way[0] + (otherY - y) * way[1];
    const aside = Math.abs((otherX - x) * way[1]) + Math.abs((otherY - y) * way[0]);
    const cost = along + aside * 2;
    if (box.id !== id && along > 1 && (!best || cost < best.cost)) best = { id: box.id, cost };
  }
  return best?.id;
}
