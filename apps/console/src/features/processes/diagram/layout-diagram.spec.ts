import { describe, expect, it } from '@jest/globals';
import type { Diagram, DiagramSymbol, LinkKind, SymbolShape } from './diagram-model.js';
import { layoutDiagram, sizeOfShape, type Layout } from './layout-diagram.js';

const symbolOf = (id: string, shape: SymbolShape = 'activity', more: Partial<DiagramSymbol> = {}): DiagramSymbol => ({
  ...{ id, shape, label: id, culture: undefined, typeName: shape, target: undefined, lane: undefined },
  place: undefined,
  ...more,
});
const links = (kind: LinkKind, ...pairs: readonly string[]) =>
  pairs.map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return { from, to, kind };
  });
const flow: Diagram = {
  lanes: [],
  symbols: [
    symbolOf('start', 'start'),
    symbolOf('a'),
    symbolOf('b'),
    symbolOf('gate', 'gateway'),
    symbolOf('end', 'end'),
  ],
  links: links('flow', 'start a', 'start b', 'a gate', 'b gate', 'gate end', 'gate a'),
};
const placeOf = (layout: Layout, id: string) => layout.symbols.find((symbol) => symbol.id === id) ?? { x: 0, y: 0 };
const pathOf = (layout: Layout, from: string, to: string): string =>
  layout.links.find((link) => link.from === from && link.to === to)?.path ?? '';

const overlaps = ({ symbols }: Layout, shapes: ReadonlyMap<string, SymbolShape>): readonly string[] =>
  symbols.flatMap((one, at) =>
    symbols.slice(at + 1).flatMap((other) => {
      const [first, second] = [one, other].map(({ id }) => sizeOfShape(shapes.get(id) ?? 'activity'));
      const isApart =
        Math.abs(one.x - other.x) >= ((first?.width ?? 0) + (second?.width ?? 0)) / 2 ||
        Math.abs(one.y - other.y) >= ((first?.height ?? 0) + (second?.height ?? 0)) / 2;
      return isApart ? [] : [`${one.id} ${other.id}`];
    }),
  );
const shapesOf = ({ symbols }: Diagram) => new Map(symbols.map(({ id, shape }) => [id, shape]));

describe('a flow', () => {
  const layout = layoutDiagram(flow);

  it('goes from left to right, with alternatives below each other', () => {
    const x = ['start', 'a', 'gate', 'end'].map((id) => placeOf(layout, id).x);
    expect(x).toEqual(x.toSorted((one, other) => one - other));
    expect(placeOf(layout, 'a').x).toBe(placeOf(layout, 'b').x);
    expect(placeOf(layout, 'a').y).not.toBe(placeOf(layout, 'b').y);
  });

  it('lets nothing overlap, and everything stand inside', () => {
    expect(overlaps(layout, shapesOf(flow))).toEqual([]);
    for (const { x, y } of layout.symbols)
      expect([x > 0, y > 0, x < layout.width, y < layout.height]).toEqual([true, true, true, true]);
  });

  it('draws each link, back ones in a bow above', () => {
    expect(layout.links).toHaveLength(flow.links.length);
    expect(pathOf(layout, 'gate', 'end')).toMatch(/^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/);
    expect(pathOf(layout, 'gate', 'a')).toContain('C');
  });

  it('passes over what is between', () => {
    const straight: Diagram = { ...flow, links: links('flow', 'start a', 'a gate', 'start gate', 'gate end', 'b end') };
    const { links: drawn } = layoutDiagram({ ...straight, symbols: flow.symbols.filter(({ id }) => id !== 'b') });
    expect(drawn.map(({ from, to }) => `${from} ${to}`)).not.toContain('b end');
    expect(drawn).toHaveLength(4);
  });
});

describe('a large flow', () => {
  it('of 2,000 steps in a row has a column for each', () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => String(at));
    const symbols = ids.map((id) => symbolOf(id));
    const steps = ids.slice(1).map((to, at) => `${at} ${to}`);
    const layout = layoutDiagram({ lanes: [], symbols, links: links('flow', ...steps, '1999 0', '7 7') });
    expect(new Set(layout.symbols.map(({ x }) => x)).size).toBe(2_000);
    expect(placeOf(layout, '1').x).toBeGreaterThan(placeOf(layout, '0').x);
  });
});

describe('lanes', () => {
  const lanes = ['clerk', 'buyer'].map((id) => symbolOf(id, 'lane'));
  const diagram: Diagram = {
    lanes,
    symbols: [
      symbolOf('a', 'activity', { lane: 'clerk' }),
      symbolOf('b', 'activity', { lane: 'buyer' }),
      symbolOf('c'),
    ],
    links: links('flow', 'a b', 'b c'),
  };
  const layout = layoutDiagram(diagram);

  it('are bands below each other with what is in them', () => {
    const [clerk, buyer] = layout.lanes;
    if (!clerk || !buyer) throw new Error('There are not two lanes.');
    expect(buyer.y).toBe(clerk.y + clerk.height);
    for (const [id, { y, height }] of [
      ['a', clerk],
      ['b', buyer],
    ] as const) {
      expect(placeOf(layout, id).y).toBeGreaterThan(y);
      expect(placeOf(layout, id).y).toBeLessThan(y + height);
    }
    expect(placeOf(layout, 'c').y).toBeGreaterThan(buyer.y + buyer.height);
  });
});

describe('resources', () => {
  it('stand below what uses them, apart from each other', () => {
    const diagram: Diagram = {
      ...flow,
      symbols: [
        ...flow.symbols,
        symbolOf('erp', 'resource'),
        symbolOf('dms', 'resource'),
        symbolOf('idle', 'resource'),
      ],
      links: [...flow.links, ...links('uses', 'end erp', 'end dms')],
    };
    const layout = layoutDiagram(diagram);
    expect(overlaps(layout, shapesOf(diagram))).toEqual([]);
    for (const id of ['erp', 'dms', 'idle'])
      expect(placeOf(layout, id).y).toBeGreaterThan(
        Math.max(...flow.symbols.map((each) => placeOf(layout, each.id).y)),
      );
    expect(pathOf(layout, 'end', 'erp')).toMatch(/^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/);
  });
});

describe('without connections', () => {
  it('everything stays where it was drawn', () => {
    const places = [
      { x: 400, y: 0 },
      { x: 0, y: 120 },
      { x: 180, y: 120 },
    ];
    const symbols = places.map((place, at) => symbolOf(String(at), 'activity', { place }));
    const layout = layoutDiagram({ lanes: [], symbols, links: [] });
    const [first, second] = layout.symbols;
    expect((first?.x ?? 0) - (second?.x ?? 0)).toBe(400);
    expect((second?.y ?? 0) - (first?.y ?? 0)).toBe(120);
  });

  it('what was not drawn stands in rows', () => {
    const symbols = Array.from({ length: 12 }, (_, at) => symbolOf(String(at)));
    const diagram = { lanes: [], symbols, links: [] };
    const layout = layoutDiagram(diagram);
    expect(overlaps(layout, shapesOf(diagram))).toEqual([]);
    expect(new Set(layout.symbols.map(({ y }) => y)).size).toBe(3);
  });
});
