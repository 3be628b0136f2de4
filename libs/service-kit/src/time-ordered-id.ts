/** Ids that are in the order of time: UUIDs of version 7. In one process each is larger than every one before. */
import { randomUUID } from 'node:crypto';

const counterMax = 0xfff;
let lastMs = 0;
let nextCount = 0;

/** Larger than every one before, also when the clock goes back. */
export const createTimeOrderedId = (): string => {
  const nowMs = Date.now();
  if (nowMs > lastMs) [lastMs, nextCount] = [nowMs, 0];
  else if (nextCount < counterMax) nextCount++;
  else [lastMs, nextCount] = [lastMs + 1, 0];
  const hex = lastMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${nextCount.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
};

/** No id that was made at this instant or later is smaller, none of an earlier one is larger. */
export const firstIdAt = (instant: string): string => {
  const hex = Math.max(0, Date.parse(instant)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

/** When it was made: ISO 8601, UTC. */
export const instantOfId = (id: string): string =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
