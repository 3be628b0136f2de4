/**
 * Ids of calls: UUIDs of version 7, so that the order of ids is the order in which calls began.
 * Refuses: an order among replicas within one millisecond.
 */
import { randomUUID } from 'node:crypto';

const countMax = 0xfff;
let lastMs = 0;
let count = 0;

/** Larger than every one before, also when the clock goes back. */
export const newCallId = (): string => {
  const nowMs = Date.now();
  if (nowMs > lastMs) [lastMs, count] = [nowMs, 0];
  else if (count < countMax) count++;
  else [lastMs, count] = [lastMs + 1, 0];
  const hex = lastMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
};

/** No id of a call that began at this instant or later is smaller, none of an earlier one is larger. */
export const firstIdOf = (instant: string): string => {
  const hex = Math.max(0, Date.parse(instant)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
