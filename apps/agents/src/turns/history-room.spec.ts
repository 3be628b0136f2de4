import { describe, expect, it } from '@jest/globals';
import { HistoryRoom } from './history-room.js';

const mebi = 1024 * 1024;
const sumOf = (bytes: readonly number[]): number => bytes.reduce((sum, each) => sum + each, 0);

describe('what turns hold of conversations', () => {
  it('is a part of what is left, and bounded for a team and for all', () => {
    const room = new HistoryRoom();
    const ofTeam = (team: string) => Array.from({ length: 100 }, () => room.take(team, 30 * mebi).bytes);
    const meridian = ofTeam('meridian');
    expect(meridian[0]).toBe(4 * mebi);
    expect(meridian.at(-1)).toBe(32 * 1024);
    expect(sumOf(meridian)).toBeLessThan(20 * mebi);
    expect(sumOf([...meridian, ...ofTeam('northgate'), ...ofTeam('tinyco')])).toBeLessThan(45 * mebi);
  });

  it('is no more than a turn wants, and what it turns out to be', () => {
    const room = new HistoryRoom();
    expect(room.take('meridian', 1_000).bytes).toBe(1_000);
    const held = Array.from({ length: 50 }, () => room.take('meridian', 30 * mebi));
    for (const { keep } of held) keep(10);
    expect(room.take('meridian', 30 * mebi).bytes).toBeGreaterThan(3.9 * mebi);
  });

  it('is there again when turns have ended', () => {
    const room = new HistoryRoom();
    const first = room.take('meridian', 30 * mebi);
    expect(room.take('meridian', 30 * mebi).bytes).toBeLessThan(first.bytes);
    first.keep(0);
    first.keep(0);
    expect(room.take('northgate', 30 * mebi).bytes).toBe(first.bytes);
  });
});
