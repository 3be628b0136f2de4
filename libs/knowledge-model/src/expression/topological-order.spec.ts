import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sortTopologically } from './topological-order.js';

const keys = Array.from({ length: 8 }, (_, at) => `k${at}`);

it('sortTopologically puts dependencies first and separates cycles', () => {
  const needs = fc.array(fc.uniqueArray(fc.constantFrom(...keys, 'elsewhere'), { maxLength: 3 }), {
    minLength: keys.length,
    maxLength: keys.length,
  });
  fc.assert(
    fc.property(needs, (all) => {
      const map = new Map(keys.map((key, at) => [key, all[at] ?? []]));
      const { order, circles } = sortTopologically(map);
      for (const key of order)
        for (const need of map.get(key) ?? [])
          if (map.has(need)) expect(order.indexOf(need)).toBeLessThan(order.indexOf(key));
      for (const circle of circles)
        circle.forEach((key, at) => expect(map.get(key)).toContain(circle[(at + 1) % circle.length]));
      expect(order.length < keys.length).toBe(circles.length > 0);
      expect(new Set(order).size).toBe(order.length);
    }),
    { numRuns: 500 },
  );
});

it('sortTopologically rejects too long a chain of names and reports its first name', () => {
  const chain = new Map(Array.from({ length: 40 }, (_, at) => [`k${at}`, at === 0 ? [] : [`k${at - 1}`]]));
  const { order, circles, tooLong } = sortTopologically(chain);
  expect(order).toHaveLength(32);
  expect(circles).toEqual([]);
  expect(tooLong).toEqual(['k32']);
});
