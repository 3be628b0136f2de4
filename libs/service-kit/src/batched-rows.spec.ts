import { describe, expect, it } from '@jest/globals';
import { BatchedRows } from './batched-rows.js';

/** Rows as they were inserted, by statement; the first `failures` statements fail. */
const openRows = (failures = 0) => {
  const statements: (readonly [team: string, rows: readonly number[]])[] = [];
  let left = failures;
  const rows = new BatchedRows<number>({
    what: 'numbers',
    insert: async (team, inserted) => {
      if (left > 0) {
        left -= 1;
        throw new Error('away');
      }
      statements.push([team, [...inserted]]);
    },
  });
  return { rows, statements };
};

describe('batched rows', () => {
  it('are written together by team, and in their order', async () => {
    const { rows, statements } = openRows();
    for (const row of [1, 2, 3]) await rows.defer('one', row);
    await rows.defer('two', 4);
    await Promise.all([rows.flush('one'), rows.flush('two')]);
    expect(statements).toEqual([
      ['one', [1, 2, 3]],
      ['two', [4]],
    ]);
  });

  it('are written by themselves when nobody asks for it', async () => {
    const { rows, statements } = openRows();
    await rows.defer('one', 1);
    expect(statements).toEqual([]);
    await new Promise<void>((resolve) => {
      const look = (): void => void (statements.length > 0 ? resolve() : setTimeout(look, 10));
      look();
    });
    expect(statements).toEqual([['one', [1]]]);
  });

  it('that are waited for are written at once', async () => {
    const { rows, statements } = openRows();
    await rows.add('one', 1);
    expect(statements).toEqual([['one', [1]]]);
  });

  it('are kept when they cannot be written, and later ones are refused until they can', async () => {
    const { rows, statements } = openRows(2);
    await rows.defer('one', 1);
    await expect(rows.flush('one')).rejects.toThrow('away');
    await expect(rows.defer('one', 2)).rejects.toThrow('away');
    await rows.flush('one');
    await rows.defer('one', 3);
    await rows.beforeApplicationShutdown();
    expect(statements).toEqual([
      ['one', [1]],
      ['one', [3]],
    ]);
  });

  it('are all there when the service has stopped, also those that come then', async () => {
    const { rows, statements } = openRows();
    await rows.defer('one', 1);
    await rows.beforeApplicationShutdown();
    await rows.defer('one', 2);
    expect(statements.flatMap(([, inserted]) => inserted)).toEqual([1, 2]);
  });
});
