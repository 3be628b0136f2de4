import { describe, expect, it } from '@jest/globals';
import { fillValues, type CreatedVersion, type ReplayedElement, createTransactionTemplate } from './replay.js';

const recordedElement: ReplayedElement = { elementId: 'e-1', versionId: 'v-1', contentIds: ['c-1', 'c-2'] };
const recordedCreation: CreatedVersion = {
  versionId: 'n-1',
  contentIds: ['k-1', 'k-2'],
  sequence: '7',
  changedAt: new Date('2026-01-02T03:04:05.006Z'),
};
const element: ReplayedElement = { elementId: 'e-2', versionId: 'v-2', contentIds: ['c-3', 'c-4'] };
const created: CreatedVersion = {
  versionId: 'n-2',
  contentIds: ['k-3', 'k-4'],
  sequence: '8',
  changedAt: new Date('2026-05-06T07:08:09.010Z'),
};

const replayOf = (...values: (string | null)[]): readonly (string | null)[] => {
  const [statement = { text: '' }] = createTransactionTemplate(
    [{ name: 'a', text: 'b', values }],
    recordedElement,
    recordedCreation,
  );
  return fillValues(statement, element, created);
};

describe('a replay', () => {
  it('replaces the recorded element, version and content ids', () => {
    expect(replayOf('e-1', '{"v-1","c-2","c-1"}')).toEqual(['e-2', '{"v-2","c-4","c-3"}']);
  });

  it('replaces generated ids, the change number and timestamps with and without a time zone', () => {
    const rows =
      '[{"id":"k-1","of":"n-1","revision":"7","at":"2026-01-02T03:04:05.006Z","on":"2026-01-02T03:04:05.006"}]';
    expect(replayOf(rows, '7')).toEqual([
      '[{"id":"k-3","of":"n-2","revision":"8","at":"2026-05-06T07:08:09.010Z","on":"2026-05-06T07:08:09.010"}]',
      '8',
    ]);
  });

  it('keeps all other parameters as they were sent', () => {
    expect(replayOf('meridian', null, 'room 7', '')).toEqual(['meridian', null, 'room 7', '']);
  });

  it('keeps statement names, texts and order, and statements without parameters', () => {
    const recorded = [{ text: 'begin' }, { name: 'x', text: 'select $1', values: ['e-1'] }, { text: 'commit' }];
    const template = createTransactionTemplate(recorded, recordedElement, recordedCreation);
    expect(template.map(({ name, text }) => [name, text])).toEqual([
      [undefined, 'begin'],
      ['x', 'select $1'],
      [undefined, 'commit'],
    ]);
    expect(template.map((statement) => statement.values !== undefined)).toEqual([false, true, false]);
  });
});
