import { describe, expect, it } from '@jest/globals';
import type { AccessChange } from './access-change.js';
import { callLogInput, chooseStorage, contentLogInput, filterAccessChanges, storagePath } from './audit-filter.js';

const change = (action: AccessChange['action'], subject: string, target: string): AccessChange => ({
  ...{ action, subject, target, changeId: `${action} ${target}`, changedAt: '2026-06-30T10:00:00Z' },
  ...{ subjectTeam: 'meridian', requestId: 'r1' },
});
const changes = [
  change('member.added', 'member:robert.novak', 'anna.weber'),
  change('key.revoked', 'member:robert.novak', 'key:abc'),
  change('session.started', 'member:anna.weber', 'anna.weber'),
];

describe('lines of the log of access', () => {
  it('are all of them without a filter', () => {
    expect(filterAccessChanges(changes, {})).toEqual(changes);
  });

  it('are those of a kind, and those that have a text', () => {
    expect(filterAccessChanges(changes, { kind: 'key' }).map(({ target }) => target)).toEqual(['key:abc']);
    expect(filterAccessChanges(changes, { text: 'ANNA' })).toHaveLength(2);
    expect(filterAccessChanges(changes, { text: 'anna', kind: 'member' })).toHaveLength(1);
  });
});

describe('the log of content', () => {
  const storage = (name: string) => ({
    ...{ collection: 'meridian', storage: name, title: name, elements: 1, changedAt: '2026-06-30T10:00:00Z' },
  });
  const storages = [storage('p2p'), storage('hr')];

  it('is that of the wanted storage, else of the first', () => {
    expect(chooseStorage(storages, 'meridian/hr')).toBe(storages[1]);
    expect(chooseStorage(storages, 'other/hr')).toBe(storages[0]);
    expect(chooseStorage([], undefined)).toBeUndefined();
    expect(storagePath(storage('p2p'))).toBe('meridian/p2p');
  });

  it('is asked for with what is filtered by, and nothing else', () => {
    const place = { collection: 'meridian', storage: 'p2p' };
    expect(contentLogInput('meridian', place, {})).toEqual({ team: 'meridian', ...place, pageSize: 100 });
    expect(contentLogInput('meridian', place, { subject: 'key:a', order: 'oldest', from: '2026-06-30' })).toEqual({
      ...{ team: 'meridian', ...place, pageSize: 100, subject: 'key:a', order: 'oldest' },
      from: new Date(2026, 5, 30).toISOString(),
    });
  });
});

it('the log of calls is asked for by asset, tool and outcome', () => {
  expect(callLogInput('meridian', { asset: 'p2p-tools', tool: 'load-data', outcome: 'ok', text: 'x' })).toEqual({
    ...{ team: 'meridian', pageSize: 100, assetId: 'p2p-tools', toolId: 'load-data', outcome: 'ok' },
  });
});
