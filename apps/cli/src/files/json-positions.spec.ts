import { describe, expect, it } from '@jest/globals';
import { maxJsonDepth, parseJsonPositions } from './json-positions.js';
import { findNodeAt, findFaultOffset } from './positioned-node.js';

const stopOf = (text: string) => {
  const placed = parseJsonPositions(text);
  return placed.ok ? undefined : { offset: placed.offset, expected: placed.expected };
};

const offsetIn = (text: string, path: string, message = ''): number => {
  const placed = parseJsonPositions(text);
  if (!placed.ok) throw new Error(`${text} is not JSON`);
  return findFaultOffset(placed.node, path, message);
};

describe('the position of a fault in JSON', () => {
  const text = '{"id": "a", "list": [1, {"b": true}], "x.y": {"z": null}}';

  it("is the beginning of the member's value", () => {
    expect(text.slice(offsetIn(text, 'id'))).toMatch(/^"a"/);
    expect(text.slice(offsetIn(text, 'list.1.b'))).toMatch(/^true/);
  });

  it("is the beginning of the member's name when the message is about the name, or when the value is an array", () => {
    expect(text.slice(offsetIn(text, 'id', 'unknown member "id"'))).toMatch(/^"id"/);
    expect(text.slice(offsetIn(text, 'list'))).toMatch(/^"list"/);
    expect(text.slice(offsetIn(text, 'list.1'))).toMatch(/^\{"b"/);
  });

  it('is the beginning of the parent object when the member is missing', () => {
    expect(text.slice(offsetIn(text, 'list.1.c'))).toMatch(/^\{"b"/);
    expect(offsetIn(text, 'type')).toBe(0);
  });

  it('is found for members whose names contain dots', () => {
    expect(text.slice(offsetIn(text, 'x.y.z'))).toMatch(/^null/);
    const placed = parseJsonPositions(text);
    expect(placed.ok && findNodeAt(placed.node, 'x.y.z')?.kind).toBe('scalar');
    expect(placed.ok && findNodeAt(placed.node, 'x.z')).toBe(undefined);
  });

  it('counts escape sequences in names by their length in the file', () => {
    expect(offsetIn('{"\\u0061": 5}', 'a')).toBe(11);
  });
});

describe('invalid JSON', () => {
  it.each([
    ['{"a":1,}', 7, 'a member name in double quotes'],
    ["{'a':1}", 1, 'a member name in double quotes'],
    ['{"a" 1}', 5, 'a colon'],
    ['[1 2]', 3, 'a comma or ]'],
    ['{"a":1', 6, 'a comma or }'],
    ['{"a":"x\n"}', 5, 'a value'],
    ['', 0, 'a value'],
    ['{} {}', 3, 'the end of the line'],
    ['[01]', 2, 'a comma or ]'],
  ])('is reported at the right character of %j', (text, offset, expected) => {
    expect(stopOf(text)).toEqual({ offset, expected });
  });

  it('is not parsed deeper than the depth limit', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(stopOf(deep(maxJsonDepth))).toBe(undefined);
    expect(stopOf(deep(100_000))?.expected).toBe(`at most ${maxJsonDepth} levels of nesting`);
  });
});
