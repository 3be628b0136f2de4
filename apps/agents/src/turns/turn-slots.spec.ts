import { expect, it } from '@jest/globals';
import { TurnSlots } from './turn-slots.js';

const outcomesOf = (slots: TurnSlots, team: string, count: number) =>
  Array.from({ length: count }, () => slots.take(team)).map((slot) => (slot.ok ? 'taken' : slot.failure.code));

it('gives a team half of the turns, so that others find room', () => {
  const slots = new TurnSlots(4);
  expect(outcomesOf(slots, 'meridian', 3)).toEqual(['taken', 'taken', 'SERVICE_UNAVAILABLE']);
  expect(outcomesOf(slots, 'northgate', 3)).toEqual(['taken', 'taken', 'SERVICE_UNAVAILABLE']);
  expect(outcomesOf(slots, 'tinyco', 1)).toEqual(['SERVICE_UNAVAILABLE']);
});

it('finds room again when a turn has ended', () => {
  const slots = new TurnSlots(1);
  const first = slots.take('meridian');
  expect(outcomesOf(slots, 'northgate', 1)).toEqual(['SERVICE_UNAVAILABLE']);
  if (first.ok) first.value();
  expect(slots.taken).toBe(0);
  expect(outcomesOf(slots, 'northgate', 1)).toEqual(['taken']);
});

it('finds none when it stops', () => {
  const slots = new TurnSlots(4);
  slots.close();
  expect(outcomesOf(slots, 'meridian', 1)).toEqual(['SERVICE_UNAVAILABLE']);
});
