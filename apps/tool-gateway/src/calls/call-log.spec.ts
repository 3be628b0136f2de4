import { expect, it } from '@jest/globals';
import { firstIdOf, newCallId } from './call-log.repository.js';

it('makes ids of version 7 that grow, many in a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, newCallId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('knows where the calls of an instant begin', () => {
  const before = firstIdOf(new Date(Date.now() - 1).toISOString());
  const id = newCallId();
  expect(id > before).toBe(true);
  expect(id < firstIdOf('2100-01-01T00:00:00Z')).toBe(true);
  expect(firstIdOf('1969-01-01T00:00:00Z')).toBe('00000000-0000-0000-0000-000000000000');
});
