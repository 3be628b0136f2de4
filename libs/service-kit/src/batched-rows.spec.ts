import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import { BatchedRows } from './batched-rows.js';

type Options = Partial<ConstructorParameters<typeof BatchedRows<number>>[0]>;

/** Rows as they were inserted, by statement; the first `failures` statements fail. */
const openRows = (failures = 0, options: Options = {}) => {
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
    ...options,
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
    await waitUntil(() => statements.length > 0);
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

  it('that may be refused are refused at once while earlier ones cannot be written, without a statement', async () => {
    const inserts: number[] = [];
    const insert = (_team: string, rows: readonly number[]): Promise<void> => {
      inserts.push(...rows);
      return Promise.reject(new Error('away'));
    };
    const { rows } = openRows(0, { mayBeRefused: true, insert });
    await rows.defer('one', 1);
    await expect(rows.flush('one')).rejects.toThrow('away');
    await expect(rows.defer('one', 2)).rejects.toThrow('Earlier numbers could not be written yet.');
    expect(inserts).not.toContain(2);
    await rows.beforeApplicationShutdown();
  });

  it('that are large are fewer in a statement, and so are those that wait', async () => {
    const megabyte = 1024 * 1024;
    const { rows, statements } = openRows(0, { mayBeRefused: true, bytesOf: () => 0.4 * megabyte });
    for (let row = 0; row < 40; row++) await rows.defer('one', row);
    await expect(rows.defer('two', 40)).rejects.toThrow('Earlier numbers');
    await rows.flush('one');
    expect(statements.map(([, inserted]) => inserted.length)).toEqual(Array.from({ length: 20 }, () => 2));
    await rows.defer('two', 40);
    await rows.flush('two');
  });

  it('are tried again in smaller statements, as a large one may never end', async () => {
    const inserted: number[] = [];
    const insert = async (_team: string, rows: readonly number[]): Promise<void> => {
      if (rows.length > 2) throw new Error('timeout');
      inserted.push(...rows);
    };
    const { rows } = openRows(0, { insert });
    for (const row of [1, 2, 3, 4, 5]) await rows.defer('one', row);
    for (let tries = 0; tries < 4 && inserted.length < 5; tries++) await rows.flush('one').catch(() => undefined);
    await rows.beforeApplicationShutdown();
    expect(inserted).toEqual([1, 2, 3, 4, 5]);
  });

  it('are all there when the service has stopped, also those that come then', async () => {
    const { rows, statements } = openRows();
    await rows.defer('one', 1);
    await rows.beforeApplicationShutdown();
    await rows.defer('one', 2);
    expect(statements.flatMap(([, inserted]) => inserted)).toEqual([1, 2]);
  });
});
