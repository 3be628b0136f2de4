import { describe, expect, it } from '@jest/globals';
import { layoutGraph, linkPath, nodeSize, type GraphLink } from './layout-graph.js';

const link = (from: string, to: string): GraphLink => ({ from, to, fromMany: true, toMany: false });
const purchase = ['ORDER', 'ITEM', 'RECEIPT', 'INVOICE', 'PAYMENT', 'SUPPLIER', 'EVENT'];
const links = [
  ...[link('ITEM', 'ORDER'), link('ORDER', 'SUPPLIER'), link('ITEM', 'SUPPLIER'), link('RECEIPT', 'ITEM')],
  ...[link('RECEIPT', 'ORDER'), link('INVOICE', 'ITEM'), link('INVOICE', 'ORDER'), link('INVOICE', 'RECEIPT')],
  ...[link('PAYMENT', 'INVOICE'), link('EVENT', 'ORDER')],
];

describe('a drawing of records', () => {
  const { nodes, links: placed, width, height } = layoutGraph(purchase, links);
  const at = new Map(nodes.map((node) => [node.id, node]));

  it('has what others belong to above them', () => {
    for (const { from, to } of links) expect(at.get(to)?.y).toBeLessThan(at.get(from)?.y ?? 0);
  });

  it('has no two records in one place, and all within its size', () => {
    for (const one of nodes) {
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + nodeSize.width).toBeLessThanOrEqual(width);
      expect(one.y + nodeSize.height).toBeLessThanOrEqual(height);
      for (const other of nodes)
        if (one.id < other.id && one.y === other.y)
          expect(Math.abs(one.x - other.x)).toBeGreaterThanOrEqual(nodeSize.width);
    }
  });

  it('leads no line through a record', () => {
    for (const { points, from, to } of placed)
      for (const { id, x, y } of nodes.filter((node) => node.id !== from && node.id !== to))
        for (const point of points) {
          const isInside = point.x > x && point.x < x + nodeSize.width && point.y > y && point.y < y + nodeSize.height;
          expect([from, to, id, isInside]).toEqual([from, to, id, false]);
        }
  });

  it('joins each line to both of its records', () => {
    expect(placed).toHaveLength(links.length);
    for (const { points, from, to } of placed) {
      const [first, last] = [points[0], points.at(-1)];
      expect(first).toEqual({
        x: (at.get(to)?.x ?? 0) + nodeSize.width / 2,
        y: (at.get(to)?.y ?? 0) + nodeSize.height,
      });
      expect(last).toEqual({ x: (at.get(from)?.x ?? 0) + nodeSize.width / 2, y: at.get(from)?.y });
    }
  });

  it('is the same each time', () => {
    expect(layoutGraph(purchase, links)).toEqual(layoutGraph(purchase, links));
  });
});

describe('a drawing of anything', () => {
  it('ends where records belong to each other in a circle', () => {
    const { nodes, links: placed } = layoutGraph(['A', 'B', 'C'], [link('A', 'B'), link('B', 'C'), link('C', 'A')]);
    expect(nodes).toHaveLength(3);
    for (const { points } of placed) expect(points.length).toBeGreaterThanOrEqual(2);
  });

  it('leaves out what leads nowhere else', () => {
    expect(layoutGraph(['A'], [link('A', 'A'), link('A', 'Z')]).links).toEqual([]);
  });

  it('of nothing is empty', () => {
    expect(layoutGraph([], [])).toEqual({ nodes: [], links: [], width: 0, height: 0 });
  });

  it('of 200 records is made in a moment', () => {
    const ids = Array.from({ length: 200 }, (_, at) => `R${at}`);
    const many = ids.flatMap((id, at) => (at === 0 ? [] : [link(id, `R${Math.floor(at / 3)}`), link(id, 'R0')]));
    const began = performance.now();
    expect(layoutGraph(ids, many).nodes).toHaveLength(200);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe('a line', () => {
  it('bends where it changes sides', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 10, y: 20 },
      { x: 10, y: 40 },
    ];
    expect(linkPath(points)).toBe('M0 0C0 10 10 10 10 20L10 40');
  });

  it('of nothing is nothing', () => expect(linkPath([])).toBe(''));
});
