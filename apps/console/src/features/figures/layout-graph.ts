/**
 * Where the records of a model stand in its drawing: in layers, what others belong to above them. Links that pass layers get a lane
 * there, so that no line runs through a record.
 */

export type GraphLink = {
  /** The side of many rows, where there is one. */
  readonly from: string;
  readonly to: string;
  readonly fromMany: boolean;
  readonly toMany: boolean;
};

export type Point = { readonly x: number; readonly y: number };
export type PlacedNode = Point & { readonly id: string };
export type PlacedLink = GraphLink & { readonly points: readonly Point[] };
export type GraphLayout = {
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
  readonly width: number;
  readonly height: number;
};

export const nodeSize = { width: 184, height: 60 } as const;
const laneWidth = 12;
const gap = { x: 16, y: 52 } as const;
const sweeps = 6;

/** A record, or the lane of a link in a layer that it passes. */
type Slot = { readonly key: string; readonly width: number };
type Chain = { readonly link: GraphLink; readonly keys: readonly string[] };

export const layoutGraph = (ids: readonly string[], links: readonly GraphLink[]): GraphLayout => {
  const known = new Set(ids);
  const drawn = links.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const layerOf = layersOf(ids, drawn);
  const layers: Slot[][] = [];
  const addTo = (layer: number, slot: Slot): void => void (layers[layer] ??= []).push(slot);
  for (const id of ids) addTo(layerOf.get(id) ?? 0, { key: `node ${id}`, width: nodeSize.width });
  const chains = drawn.map((link, at): Chain => {
    const [high, low] = [layerOf.get(link.to) ?? 0, layerOf.get(link.from) ?? 0];
    const lanes = Array.from({ length: Math.max(0, low - high - 1) }, (_, step) => `lane ${at} ${high + 1 + step}`);
    lanes.forEach((key, step) => addTo(high + 1 + step, { key, width: laneWidth }));
    return { link, keys: [`node ${link.to}`, ...lanes, `node ${link.from}`] };
  });
  return place(ids, orderLayers(layers, chains), chains);
};

/** One below all that it belongs to. What would close a circle counts as if it were not there. */
const layersOf = (ids: readonly string[], links: readonly GraphLink[]): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>();
  const open = new Set<string>();
  const layerOf = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    open.add(id);
    const above = links.flatMap(({ from, to }) => (from === id && !open.has(to) ? layerOf(to) + 1 : []));
    open.delete(id);
    const layer = Math.max(0, ...above);
    layers.set(id, layer);
    return layer;
  };
  ids.forEach(layerOf);
  return layers;
};

/** Slots come below the middle of what they are linked with, from above and from below in turn. */
const orderLayers = (layers: readonly (readonly Slot[])[], chains: readonly Chain[]): readonly (readonly Slot[])[] => {
  const neighbours = new Map<string, string[]>();
  const join = (one: string, other: string): void => void neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
  for (const { keys } of chains)
    keys.slice(1).forEach((key, at) => {
      join(key, keys[at] ?? '');
      join(keys[at] ?? '', key);
    });
  let ordered = layers;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const places = new Map(
      ordered.flatMap((layer) => layer.map(({ key }, at) => [key, (at + 0.5) / layer.length] as const)),
    );
    const middleOf = ({ key }: Slot): number => {
      const found = (neighbours.get(key) ?? []).map((other) => places.get(other) ?? 0.5);
      return found.length === 0 ? (places.get(key) ?? 0.5) : found.reduce((sum, one) => sum + one, 0) / found.length;
    };
    const isDue = (layer: number): boolean => layer % 2 === sweep % 2;
    ordered = ordered.map((layer, at) =>
      isDue(at) ? layer.toSorted((one, other) => middleOf(one) - middleOf(other)) : layer,
    );
  }
  return ordered;
};

const widthOf = (layer: readonly Slot[]): number =>
  layer.reduce((sum, slot) => sum + slot.width, 0) + Math.max(0, layer.length - 1) * gap.x;

const place = (ids: readonly string[], layers: readonly (readonly Slot[])[], chains: readonly Chain[]): GraphLayout => {
  const width = Math.max(0, ...layers.map(widthOf));
  const tops = new Map<string, Point>();
  layers.forEach((layer, at) => {
    let x = (width - widthOf(layer)) / 2;
    for (const slot of layer) {
      tops.set(slot.key, { x: x + slot.width / 2, y: at * (nodeSize.height + gap.y) });
      x += slot.width + gap.x;
    }
  });
  const topOf = (key: string): Point => tops.get(key) ?? { x: 0, y: 0 };
  return {
    nodes: ids.map((id) => ({ id, x: topOf(`node ${id}`).x - nodeSize.width / 2, y: topOf(`node ${id}`).y })),
    links: chains.map(({ link, keys }) => ({ ...link, points: pointsOf(keys.map(topOf)) })),
    width,
    height: Math.max(0, layers.length * (nodeSize.height + gap.y) - gap.y),
  };
};

/** From below the upper record through its lanes to above the lower one; records of the same layer are joined side by side. */
const pointsOf = (tops: readonly Point[]): readonly Point[] => {
  const [first, ...rest] = tops;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return [];
  if (first.y === last.y) {
    const side = first.x < last.x ? nodeSize.width / 2 : -nodeSize.width / 2;
    const y = first.y + nodeSize.height / 2;
    return [
      { x: first.x + side, y },
      { x: last.x - side, y },
    ];
  }
  const down = first.y < last.y;
  const passed = rest.slice(0, -1).flatMap(({ x, y }) => [
    { x, y },
    { x, y: y + nodeSize.height },
  ]);
  return [
    { x: first.x, y: down ? first.y + nodeSize.height : first.y },
    ...passed,
    { x: last.x, y: down ? last.y : last.y + nodeSize.height },
  ];
};

const round = (value: number): number => Math.round(value * 10) / 10;

/** The `d` of a smooth path, which leaves and arrives upright where it changes layers. */
export const linkPath = (points: readonly Point[]): string =>
  points
    .map(({ x, y }, at) => {
      const before = points[at - 1];
      if (before === undefined) return `M${round(x)} ${round(y)}`;
      if (before.x === x || before.y === y) return `L${round(x)} ${round(y)}`;
      const middle = round((before.y + y) / 2);
      return `C${round(before.x)} ${middle} ${round(x)} ${middle} ${round(x)} ${round(y)}`;
    })
    .join('');
