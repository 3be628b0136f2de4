/** That values are found where PostgreSQL finds them, by random texts. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { copyCsvRows } from './generation.js';
import { scanCsv, unquote } from './scan-csv.js';

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;

const table = { physical: 'public', name: 'scanned' };

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
  client = await pool.connect();
  await client.query('create table scanned (place bigint generated always as identity, a text, b text)');
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

type Row = readonly (string | null)[];

/** Numbers from 0 to below `limit`, the same in every run. */
const numbers = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
};

const pieces = ['a', 'ä', '""', '"x,y"', '"a\nb"', '"c\r\n""d"', ' ', '\\', '\\.', 'NULL', ';', '"', '\r', '\n', ','];
const ends = ['\n', '\n', '\r\n', '\r'];

const several = (count: number, make: () => string): readonly string[] => Array.from({ length: count }, make);

/** Mostly lines of two values that end in the same way. */
const randomText = (next: (limit: number) => number): string => {
  const end = ends[next(ends.length)];
  const value = () => several(next(3), () => pieces[next(pieces.length)] ?? '').join('');
  const line = () => several(next(12) === 0 ? 1 + next(3) : 2, value).join(',');
  return several(1 + next(3), () => line() + (next(15) === 0 ? ends[next(ends.length)] : end)).join('');
};

/** Undefined where a quote stays open or a line has another number of values. */
const scanned = (text: string): readonly Row[] | undefined => {
  const rows: Row[] = [];
  let values: (string | null)[] = [];
  const open = scanCsv(text, ',', {
    value: (_index, start, end, isQuoted) => {
      const raw = text.slice(start, end);
      values.push(isQuoted ? unquote(raw) : raw === '' ? null : raw);
    },
    record: () => {
      rows.push(values);
      values = [];
    },
  });
  return open === undefined && rows.every((row) => row.length === 2) ? rows : undefined;
};

/** The SQLSTATE when PostgreSQL does not take the text, and the line that it names. */
const copied = async (text: string): Promise<readonly Row[] | { readonly code: string }> => {
  await client.query('truncate scanned');
  try {
    await copyCsvRows(client, table, text, { columns: ['a', 'b'], delimiter: ',', null: '' });
  } catch (error) {
    return { code: error instanceof pg.DatabaseError ? (error.code ?? '') : String(error) };
  }
  const { rows } = await client.query<{ a: string | null; b: string | null }>(
    'select a, b from scanned order by place',
  );
  return rows.map(({ a, b }) => [a, b]);
};

const badFormat = '22P04';

it('scanCsv finds the same values as COPY of PostgreSQL', async () => {
  const next = numbers(20_260_630);
  const seen = { equal: 0, refused: 0, mixedEnds: 0 };
  for (let turn = 0; turn < 400; turn += 1) {
    const text = randomText(next);
    const [ours, theirs] = [scanned(text), await copied(text)];
    if (ours === undefined) {
      expect([text, theirs]).toEqual([text, { code: badFormat }]);
      seen.refused += 1;
    } else if ('code' in theirs) {
      // Lines that end in different ways are all that PostgreSQL refuses beside.
      expect([text, new Set(text.match(/\r\n|\r|\n/g)).size > 1, theirs.code]).toEqual([text, true, badFormat]);
      seen.mixedEnds += 1;
    } else {
      expect([text, theirs]).toEqual([text, ours]);
      seen.equal += 1;
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
});
