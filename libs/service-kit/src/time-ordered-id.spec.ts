import { expect, it } from '@jest/globals';
import { firstIdAt, createTimeOrderedId } from './time-ordered-id.js';

it('createTimeOrderedId returns ascending UUIDs of version 7, also many in one millisecond', () => {
  const ids = Array.from({ length: 10_000 }, createTimeOrderedId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('firstIdAt returns a lower bound for the ids at an instant or later', () => {
  const before = firstIdAt(new Date(Date.now() - 1).toISOString());
  const id = createTimeOrderedId();
  expect(id > before).toBe(true);
  expect(id < firstIdAt('2100-01-01T00:00:00Z')).toBe(true);
  expect(firstIdAt('1969-01-01T00:00:00Z')).toBe('00000000-0000-0000-0000-000000000000');
});
