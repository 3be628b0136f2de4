import { describe, expect, it } from '@jest/globals';
import { RevisionCache } from './revision-cache.js';

const openCache = (revisions: Readonly<Record<string, string>>, freshMs = 0) => {
  const current: Record<string, string> = { ...revisions };
  const calls: string[] = [];
  const cache = new RevisionCache<{ readonly revision: string; readonly size: number }>({
    readRevision: (team) => {
      calls.push(`revision of ${team}`);
      return Promise.resolve(current[team]);
    },
    read: (team, before) => {
      const revision = current[team];
      calls.push(`read ${team} after ${before?.revision ?? 'nothing'}`);
      return Promise.resolve(revision === undefined ? undefined : { revision, size: Number(revision) });
    },
    sizeOf: ({ size }) => size,
    ...{ teamsMax: 10, sizeMax: 100, freshMs },
  });
  return { cache, current, calls };
};

describe('a cache by revision', () => {
  it('reads a team again only when its revision has changed', async () => {
    const { cache, current, calls } = openCache({ a: '1' });
    const first = await cache.of('a');
    expect(await cache.of('a')).toBe(first);
    current['a'] = '2';
    expect(await cache.of('a')).toEqual({ revision: '2', size: 2 });
    expect(calls.filter((call) => call.startsWith('read'))).toEqual(['read a after nothing', 'read a after 1']);
  });

  it('checks the revision on every request without a freshness time, and once per freshness time otherwise', async () => {
    for (const [freshMs, looks] of [
      [0, 3],
      [60_000, 1],
    ] as const) {
      const { cache, calls } = openCache({ a: '1' }, freshMs);
      for (let request = 0; request < 3; request += 1) await cache.of('a');
      expect(calls.filter((call) => call === 'revision of a')).toHaveLength(looks);
    }
  });

  it('checks the revision once for concurrent callers, and once more for callers that arrive meanwhile', async () => {
    const { cache, calls } = openCache({ a: '1' });
    const answers = await Promise.all([cache.of('a'), cache.of('a'), cache.of('a')]);
    expect(answers.map((answer) => answer?.revision)).toEqual(['1', '1', '1']);
    expect(calls.filter((call) => call === 'revision of a')).toHaveLength(2);
  });

  it('reads nothing for a team without a revision, and checks again each time', async () => {
    const { cache, current, calls } = openCache({}, 60_000);
    expect(await cache.of('a')).toBeUndefined();
    current['a'] = '1';
    expect(await cache.of('a')).toEqual({ revision: '1', size: 1 });
    expect(calls).toEqual(['revision of a', 'revision of a', 'read a after nothing']);
  });

  it('keeps the data of a team that is larger than the cache, and evicts all other teams', async () => {
    const { cache, calls } = openCache({ a: '1', large: '1000' });
    for (const team of ['a', 'large', 'large', 'a']) await cache.of(team);
    expect(calls.filter((call) => call.startsWith('read'))).toEqual([
      ...['read a after nothing', 'read large after nothing', 'read a after nothing'],
    ]);
  });
});
