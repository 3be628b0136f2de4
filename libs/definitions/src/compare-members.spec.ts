import { describe, expect, it } from '@jest/globals';
import { compareMembers, type Members } from './compare-members.js';

const compared = (before: Members, after: Members, prefix = '') =>
  compareMembers([{ prefix, before, after }], {
    isWhole: (path) => path.endsWith('schema'),
    breaks: (path, change) => path.startsWith('tools.') && change === 'removed',
  }).map(({ path, change, breaks }) => `${path} ${change}${breaks ? ', breaks' : ''}`);

describe('a comparison', () => {
  it('descends into objects, and compares lists and members declared as whole as one value', () => {
    const before = { name: 'A', limits: { steps: 1, seconds: 2 }, list: [1, { a: 1 }], schema: { type: 'object' } };
    const after = { limits: { steps: 3, tokens: 4 }, list: [1, { a: 2 }], schema: { type: 'object', required: [] } };
    expect(compared(before, after)).toEqual([
      'name removed',
      'limits.steps changed',
      'limits.seconds removed',
      'limits.tokens added',
      'list changed',
      'schema changed',
    ]);
  });

  it('decides by the full path of a change whether it is breaking', () => {
    expect(compared({ a: {}, b: 1 }, { a: { c: 1 } }, 'tools.')).toEqual([
      'tools.a.c added',
      'tools.b removed, breaks',
    ]);
  });

  it('ignores the order of members, and null for an absent one', () => {
    expect(compared({ a: 1, b: { c: 1, d: 2 }, e: null }, { b: { d: 2, c: 1 }, a: 1 })).toEqual([]);
    expect(compared({ a: null, b: 2 }, { a: 1, b: null })).toEqual(['a added', 'b removed']);
  });

  it('distinguishes an object from a list or a text', () => {
    expect(compared({ a: { 0: 'x' }, b: 'x' }, { a: ['x'], b: { 0: 'x' } })).toEqual(['a changed', 'b changed']);
  });

  it('treats members named like properties of Object.prototype as ordinary members', () => {
    expect(compared({}, { constructor: { id: 'constructor' } })).toEqual(['constructor added']);
    expect(compared({ toString: 1 }, {})).toEqual(['toString removed']);
  });

  it('reports at most 200 changes', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index]));
    expect(compared({}, many)).toHaveLength(200);
  });
});
