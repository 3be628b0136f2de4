/** Where everything of a diagram is drawn: dagre finds columns and the order in them, lanes become bands. Pixels, from the upper left corner. */
import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from '@dagrejs/dagre';
import type { Diagram, DiagramLink, DiagramSymbol, SymbolShape } from './diagram-model.js';

/** By its centre; the label of a glyph is below it. */
export type PlacedSymbol = { readonly id: string; readonly x: number; readonly y: number };
export type PlacedLane = { readonly id: string; readonly y: number; readonly height: number };
export type PlacedLink = DiagramLink & { readonly path: string };
export type Layout = {
  readonly width: number;
  readonly height: number;
  readonly symbols: readonly PlacedSymbol[];
  readonly lanes: readonly PlacedLane[];
  readonly links: readonly PlacedLink[];
};

const boxSize = { width: 152, height: 60 };
const glyphSize = { width: 44, height: 44 };
/** Of the label below a glyph. */
export const glyphLabelWidth = 112;
export const laneTitleHeight = 32;
const margin = 16;
const columnGap = 48;
const rowHeight = 116;
/** From the top of a row to the middle of what is in it. */
const rowMiddle = 52;
const resourceRowHeight = 84;
/** How far links that lead back or over others rise above what they pass. */
const rise = 34;

/** As it is drawn, without a label below. */
export const sizeOfShape = (shape: SymbolShape): { readonly width: number; readonly height: number } =>
  shape === 'activity' || shape === 'resource' || shape === 'lane' ? boxSize : glyphSize;

const takenWidth = (shape: SymbolShape): number => Math.max(sizeOfShape(shape).width, glyphLabelWidth);

export const layoutDiagram = (diagram: Diagram): Layout => {
  const flowing = diagram.symbols.filter(({ shape }) => shape !== 'resource');
  const resources = diagram.symbols.filter(({ shape }) => shape === 'resource');
  const flow = diagram.links.filter(({ kind }) => kind !== 'uses');
  if (flow.length === 0) return layoutAsDrawn(diagram);
  const columns = findColumns(flowing, flow);
  const bands = stackBands(diagram, flowing, columns);
  const below = placeResources(resources, diagram.links, bands.symbols, bands.height);
  const symbols = [...bands.symbols, ...below];
  const right = Math.max(0, ...symbols.map(({ x }) => x + boxSize.width / 2));
  return {
    width: right + margin,
    height: bands.height + (below.length > 0 ? resourceRowHeight : 0),
    symbols,
    lanes: bands.lanes,
    links: drawLinks(diagram, symbols),
  };
};

/** Each column from the left, its symbols from the top. */
type Column = { readonly x: number; readonly ids: readonly string[] };

/** dagre calls itself for each step of a path: some thousand are too many for it. */
const rankedMax = 400;

const findColumns = (symbols: readonly DiagramSymbol[], links: readonly DiagramLink[]): readonly Column[] => {
  const placed = symbols.length > rankedMax ? placeByDistance(symbols, links) : placeByRank(symbols, links);
  return [...Map.groupBy(placed, ({ x }) => Math.round(x))]
    .toSorted(([one], [other]) => one - other)
    .map(([x, column]) => ({ x, ids: column.toSorted((one, other) => one.y - other.y).map(({ id }) => id) }));
};

const placeByRank = (symbols: readonly DiagramSymbol[], links: readonly DiagramLink[]): readonly PlacedSymbol[] => {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  graph.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: margin, marginx: margin, marginy: margin });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, shape } of symbols) graph.setNode(id, { width: takenWidth(shape), height: rowHeight });
  for (const { from, to } of links) graph.setEdge(from, to);
  // Otherwise it keeps near to the diagram that it was asked for before.
  layout(graph, { useDynamic: false });
  return symbols.map(({ id }) => {
    const { x = 0, y = 0 } = graph.node(id);
    return { id, x, y };
  });
};

/** As many columns from the left as there are steps to a symbol. */
const placeByDistance = (symbols: readonly DiagramSymbol[], links: readonly DiagramLink[]): readonly PlacedSymbol[] => {
  const following = Map.groupBy(links, ({ from }) => from);
  const reached = new Set(links.map(({ to }) => to));
  const steps = new Map<string, number>();
  // From what nothing leads to; what is left then goes round in circles.
  for (const { id: begin } of [...symbols.filter(({ id }) => !reached.has(id)), ...symbols]) {
    if (steps.has(begin)) continue;
    steps.set(begin, 0);
    const ahead = [begin];
    for (const id of ahead)
      for (const { to } of following.get(id) ?? []) {
        if (steps.has(to)) continue;
        steps.set(to, (steps.get(id) ?? 0) + 1);
        ahead.push(to);
      }
  }
  const first = margin + boxSize.width / 2;
  return symbols.map(({ id }, y) => ({ id, x: first + (steps.get(id) ?? 0) * (boxSize.width + columnGap), y }));
};

type Bands = {
  readonly height: number;
  readonly symbols: readonly PlacedSymbol[];
  readonly lanes: readonly PlacedLane[];
};

/** A band for each lane, and one without a title for what is in none. */
const stackBands = ({ lanes }: Diagram, symbols: readonly DiagramSymbol[], columns: readonly Column[]): Bands => {
  const laneById = new Map(symbols.map(({ id, lane }) => [id, lane]));
  const isWithout = symbols.some(({ lane }) => lane === undefined);
  const bands: readonly (string | undefined)[] = [...lanes.map(({ id }) => id), ...(isWithout ? [undefined] : [])];
  const placed: PlacedSymbol[] = [];
  const placedLanes: PlacedLane[] = [];
  let top = lanes.length === 0 ? 0 : margin;
  for (const band of bands) {
    const parts = columns.map(({ x, ids }) => ({ x, ids: ids.filter((id) => laneById.get(id) === band) }));
    const rows = Math.max(1, ...parts.map(({ ids }) => ids.length));
    const begin = top + (band === undefined ? 0 : laneTitleHeight);
    for (const { x, ids } of parts)
      for (const [row, id] of ids.entries())
        placed.push({ id, x, y: begin + (row + (rows - ids.length) / 2) * rowHeight + rowMiddle });
    const height = begin - top + rows * rowHeight;
    if (band !== undefined) placedLanes.push({ id: band, y: top, height });
    top += height;
  }
  return { height: top + margin, symbols: placed, lanes: placedLanes };
};

/** In a row below, each as near as it can be to what uses it. */
const placeResources = (
  resources: readonly DiagramSymbol[],
  links: readonly DiagramLink[],
  placed: readonly PlacedSymbol[],
  top: number,
): readonly PlacedSymbol[] => {
  const xById = new Map(placed.map(({ id, x }) => [id, x]));
  const first = margin + boxSize.width / 2;
  const wanted = resources.map(({ id, place }) => {
    const users = links
      .filter(({ to, kind }) => kind === 'uses' && to === id)
      .flatMap(({ from }) => xById.get(from) ?? []);
    const middle = users.reduce((sum, x) => sum + x, 0) / users.length;
    return { id, x: users.length === 0 ? Math.max(first, place?.x ?? first) : middle };
  });
  let next = first;
  return wanted
    .toSorted((one, other) => one.x - other.x)
    .map(({ id, x }) => {
      const free = Math.max(x, next);
      next = free + boxSize.width + margin;
      return { id, x: free, y: top + resourceRowHeight / 2 };
    });
};

const symbolsInRow = 5;

/** Without connections: where people drew them, or else one after the other. */
const layoutAsDrawn = ({ symbols, lanes }: Diagram): Layout => {
  const places = symbols.flatMap(({ place }) => place ?? []);
  const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
  const isDrawn = places.length === symbols.length;
  const placed = symbols.map(({ id, place }, at) => {
    const [column, row] = [at % symbolsInRow, Math.floor(at / symbolsInRow)];
    const [x, y] =
      isDrawn && place ? [place.x - left, place.y - top] : [column * (boxSize.width + columnGap), row * rowHeight];
    return { id, x: x + margin + boxSize.width / 2, y: y + margin + boxSize.height / 2 };
  });
  const height = Math.max(0, ...placed.map(({ y }) => y + boxSize.height / 2)) + margin;
  return {
    width: Math.max(0, ...placed.map(({ x }) => x + boxSize.width / 2)) + margin,
    height: height + lanes.length * laneTitleHeight,
    symbols: placed,
    lanes: lanes.map(({ id }, at) => ({ id, y: height + at * laneTitleHeight, height: laneTitleHeight })),
    links: [],
  };
};

type Point = { readonly x: number; readonly y: number };
type End = Point & { readonly width: number; readonly height: number };

const drawLinks = ({ symbols, links }: Diagram, placed: readonly PlacedSymbol[]): readonly PlacedLink[] => {
  const shapes = new Map(symbols.map(({ id, shape }) => [id, shape]));
  const ends = new Map(placed.map(({ id, x, y }) => [id, { x, y, ...sizeOfShape(shapes.get(id) ?? 'activity') }]));
  const all = [...ends.values()];
  return links.flatMap((link) => {
    const [from, to] = [ends.get(link.from), ends.get(link.to)];
    if (!from || !to) return [];
    return [{ ...link, path: link.kind === 'uses' ? pathDown(from, to) : pathBetween(from, to, all) }];
  });
};

const pathDown = (from: End, to: End): string =>
  `M${from.x} ${from.y + from.height / 2}L${to.x} ${to.y - to.height / 2}`;

/** Straight to the next, as a curve to another row, in a bow over what is between or back. */
const pathBetween = (from: End, to: End, all: readonly End[]): string => {
  const [out, into] = [from.x + from.width / 2, to.x - to.width / 2];
  const isBehind = into <= out;
  const isBlocked = all.some(({ x, y }) => y === from.y && x > from.x && x < to.x);
  if (isBehind || (from.y === to.y && isBlocked)) {
    const [begin, end] = [from.y - from.height / 2, to.y - to.height / 2];
    const above = Math.min(begin, end) - rise;
    return `M${from.x} ${begin}C${from.x} ${above} ${to.x} ${above} ${to.x} ${end}`;
  }
  if (from.y === to.y) return `M${out} ${from.y}L${into} ${to.y}`;
  const middle = (out + into) / 2;
  return `M${out} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${into} ${to.y}`;
};
