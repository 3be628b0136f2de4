import { setImmediate as othersTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { limitPerTeam } from './surroundings.js';

describe('look-ups of names', () => {
  const slow = () => {
    const asked: string[] = [];
    const answers: PromiseWithResolvers<never[]>[] = [];
    const resolve = limitPerTeam((hostName) => {
      asked.push(hostName);
      const answer = Promise.withResolvers<never[]>();
      answers.push(answer);
      return answer.promise;
    });
    return { asked, answers, resolve };
  };

  it('are made one at a time for a team, and hold no other team up', async () => {
    const { asked, answers, resolve } = slow();
    const first = resolve('a', 'meridian');
    const second = resolve('b', 'meridian');
    const other = resolve('c', 'northgate');
    await othersTurn();
    expect(asked).toEqual(['a', 'c']);
    answers[0]?.reject(new Error('no such name'));
    await expect(first).rejects.toThrow('no such name');
    await othersTurn();
    expect(asked).toEqual(['a', 'c', 'b']);
    answers[1]?.resolve([]);
    answers[2]?.resolve([]);
    expect(await Promise.all([second, other])).toEqual([[], []]);
    const later = resolve('d', 'meridian');
    await othersTurn();
    answers[3]?.resolve([]);
    expect(await later).toEqual([]);
  });

  it('are refused when many wait already', async () => {
    const { asked, resolve } = slow();
    const waiting = Array.from({ length: 51 }, (_, index) => resolve(`h${index}`, 'meridian'));
    await expect(resolve('one more', 'meridian')).rejects.toMatchObject({ reason: 'full' });
    expect([asked, waiting.length]).toEqual([['h0'], 51]);
  });
});
