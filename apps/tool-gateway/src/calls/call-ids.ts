/**
 * Ids of calls: UUIDs of version 7, so that the order of ids is the order in which calls began.
 * Refuses: an order within one millisecond.
 */
import { randomUUIDv7 } from 'node:crypto';

export const newCallId = (): string => randomUUIDv7();

/** No id of a call that began at this instant or later is smaller, none of an earlier one is larger. */
export const firstIdOf = (instant: string): string => {
  const hex = Math.max(0, Date.parse(instant)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
