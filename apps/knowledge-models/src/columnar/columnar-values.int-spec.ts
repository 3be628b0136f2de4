/**
 * What goes into a copy by columns comes out of it as PostgreSQL had it, value by value: in files of every run, and in ClickHouse by
 * `npm run differential -- clickhouse`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ColumnarAggregate,
  type ColumnarExpression,
  type ColumnarTable,
  type ColumnMeasurement,
  duckdbStorage,
  measuringCells,
  planStoredColumns,
} from '@tessera/knowledge-model';
import { isDifferentialEngine } from '@tessera/testing';
import { startClickhouse, type ClickhouseServer } from '@tessera/testing/clickhouse';
import { markAsLoaded, openClusterClient } from '../testing/cluster-client.js';
import { openColumnarClient, type ColumnarClient } from '../testing/columnar-client.js';
import { columnQuestion, countRows, rowsOfGroups, storedColumn } from '../testing/columnar-questions.js';
import { openFixture, type Fixture, type TestTable } from '../testing/fixture.js';
import { readTableColumns } from '../database/columns.repository.js';
import { copyRows, measuredRanges, readAggregates } from './columnar.repository.js';
import { measureGeneration } from './measure-generation.js';

const team = 'meridian';
const longText = `${'long, "quoted"\r\n'.repeat(60_000)}ü`;

const never = new AbortController().signal;

const isCluster = isDifferentialEngine('clickhouse');
const [firstDay, lastDay] = isCluster ? ['1900-01-01', '2299-12-31'] : ['0001-01-01', '9999-12-31'];

type Client = Pick<ColumnarClient, 'table' | 'lines' | 'end'> & {
  readonly files: Pick<ColumnarClient['files'], 'ensure'>;
  readonly reader: Pick<ColumnarClient['reader'], 'ask'>;
};

let fixture: Fixture;
let server: ClickhouseServer | undefined;
let client: Client;
let table: ColumnarTable;

const open = async (rowsMin: number): Promise<Client> =>
  server
    ? openClusterClient(fixture, server.url, { tables: { rowsMin } })
    : openColumnarClient(fixture, { files: { rowsMin } });
const load = async (...tables: readonly TestTable[]): Promise<void> => {
  await fixture.load(team, ...tables);
  await markAsLoaded(fixture, team);
};

beforeAll(async () => {
  fixture = await openFixture();
  if (isCluster) server = await startClickhouse();
  client = await open(1);
  await load({
    schema: 'p2p',
    name: 'kinds',
    columns: `"Name" text, "name" text, empty text, amount numeric, whole bigint, yes boolean, day date, at timestamp,
      moment timestamptz, ratio double precision, huge numeric, odd numeric, ancient date, clock time`,
    rows: [
      {
        ...{ Name: 'A', name: 'a', empty: '', amount: '1.50', whole: '9223372036854775807', yes: true },
        ...{ day: '2026-05-07', at: '2026-05-07 08:30:00.123456', moment: '2026-05-07 10:30:00+02', ratio: 0.1 },
        ...{ huge: '1'.repeat(40), odd: 'NaN', ancient: '0044-03-15 BC', clock: '08:30' },
      },
      { Name: longText, name: '\\.', empty: null, amount: '-0.125', whole: '-1', yes: false, day: lastDay },
      {
        Name: 'null',
        name: ' a, b ',
        empty: 'x"y',
        amount: null,
        at: `${firstDay} 00:00:00`,
        huge: '1',
        ancient: 'infinity',
      },
      { Name: null, name: 'a\nb', empty: '', amount: '1000000', whole: null, moment: '1969-12-31 23:59:59.9+00' },
    ],
  });
  await client.files.ensure(team);
  const found = await client.table(team, 'p2p', 'kinds');
  if (!found) throw new Error(client.lines.join());
  table = found;
});
afterAll(async () => {
  await client?.end();
  server?.stop();
  await fixture?.end();
});

/** With what CSV, statements, clients and editors take for something else. */
const hostileTexts = [
  ...[
    '',
    '\uFEFF',
    '\uFEFFNORTH',
    'NORTH',
    '\uFEFF\uFEFFNORTH',
    'NORTH\uFEFF',
    '=',
    '=NORTH',
    '\uFFFE',
    '\uFFFD',
    '\u2028',
  ],
  ...[
    '"',
    '""',
    '",',
    ',',
    '\r',
    '\n',
    '\r\n',
    '\r\nt,1',
    "'",
    "'; drop table generation; --",
    '\\',
    '\\.',
    '\\N',
    'null',
    'NULL',
  ],
  ...['t', 'true', '#', '# NORTH', ' ', '\t', '\u0001', '\u00A0', '$1', '?', '💥', 'e\u0301', 'é'],
];

const ask = async (...question: Parameters<typeof columnQuestion> extends [unknown, ...infer Rest] ? Rest : never) =>
  rowsOfGroups(
    await client.reader.ask(columnQuestion(table, ...question), {
      groupsMax: 100,
      signal: new AbortController().signal,
    }),
  );

/** Fractions of seconds, which PostgreSQL reads with zeros behind them as well. */
const withoutZeros = (text: string | null): string | null =>
  text?.replace(/(:\d\d)(?:\.0+|(\.\d*?)0+)(?=\+00$|$)/, '$1$2') ?? null;

describe('a copy by columns', () => {
  it('leaves out what it cannot store exactly', () => {
    expect(table.omitted).toEqual(['ratio', 'huge', 'odd', 'ancient', 'clock']);
    expect(table.rows).toBe(4);
  });

  it('tells null, an empty text and the text of a null apart, and names by their case', async () => {
    expect(await ask(['empty'])).toEqual([
      ['', '2'],
      ['x"y', '1'],
      [null, '1'],
    ]);
    expect(await ask(['Name', 'name'])).toEqual(
      [
        ['A', 'a', '1'],
        [longText, '\\.', '1'],
        ['null', ' a, b ', '1'],
        [null, 'a\nb', '1'],
      ].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    );
  });

  it('has decimals of the size of their values, and how many digits each shows', async () => {
    const amount = table.columns.find(({ name }) => name === 'amount');
    expect(amount).toMatchObject({ type: { kind: 'decimal', precision: 10, scale: 3 }, scaleColumn: 'c4_scale' });
    expect(await ask(['amount'])).toEqual([
      ['-0.125', '1'],
      ['1.500', '1'],
      ['1000000.000', '1'],
      [null, '1'],
    ]);
    const scale = { kind: 'column', source: 0, stored: 'c4_scale', type: { kind: 'integer', precision: 19 } } as const;
    const digits: ColumnarAggregate = {
      function: 'max',
      distinct: false,
      argument: scale,
      type: { kind: 'integer', precision: 19 },
    };
    expect(await ask(['name'], [digits])).toEqual([
      [' a, b ', null],
      ['\\.', '3'],
      ['a', '2'],
      ['a\nb', '0'],
    ]);
  });

  it.each([
    ['whole', ['-1', '9223372036854775807', null, null]],
    ['yes', ['false', 'true', null, null]],
    ['day', ['2026-05-07', lastDay, null, null]],
    ['at', [`${firstDay} 00:00:00`, '2026-05-07 08:30:00.123456', null, null]],
    ['moment', ['1969-12-31 23:59:59.9+00', '2026-05-07 08:30:00+00', null, null]],
  ])('answers values of %s as PostgreSQL reads them', async (column, values) => {
    const found = await ask([column, 'name']);
    expect(found.map(([value]) => withoutZeros(value ?? null)).sort()).toEqual([...values].sort());
  });

  it('sums exactly, and beyond the range of a bigint', async () => {
    const sums = (name: string): ColumnarAggregate => {
      const argument = storedColumn(table, name);
      const scale = argument.type.kind === 'decimal' ? argument.type.scale : 0;
      return { function: 'sum', distinct: false, argument, type: { kind: 'decimal', precision: 38, scale } };
    };
    expect(await ask([], [countRows, sums('amount'), sums('whole')])).toEqual([
      ['4', '1000001.375', '9223372036854775806'],
    ]);
  });
});

describe('texts that are taken for something else', () => {
  it.each([
    ['of one column', 'name text'],
    ['before others', 'name text, id bigint'],
    ['behind others', 'id bigint, name text'],
  ])('come back as they are, %s', async (what, columns) => {
    const name = `hostile_${what.replaceAll(' ', '_')}`;
    // Each is in the first row of a file once, and so are its neighbours beside it.
    for (const first of ['\uFEFFNORTH', '\uFEFF', '\r\n']) {
      const texts = [first, ...hostileTexts.filter((text) => text !== first)];
      await load({ schema: 'p2p', name, columns, rows: texts.map((text, id) => ({ name: text, id })) });
      await client.files.ensure(team);
      const hostile = await client.table(team, 'p2p', name);
      if (!hostile) throw new Error(client.lines.join());
      const argument = storedColumn(hostile, 'name');
      const least = { function: 'min', distinct: false, argument, type: { kind: 'text' } } as const;
      const options = { groupsMax: 100, signal: never };
      const groups = await client.reader.ask(columnQuestion(hostile, ['name'], [least]), options);
      for (const cells of groups.columns) expect([...cells].sort()).toEqual([...texts].sort());
      const where: ColumnarExpression = {
        kind: 'comparison',
        operator: '=',
        left: argument,
        right: { kind: 'literal', value: first, type: { kind: 'text' } },
        type: { kind: 'boolean' },
      };
      const found = await client.reader.ask({ ...columnQuestion(hostile, [], [least]), where }, options);
      expect(rowsOfGroups(found)).toEqual([[first]]);
    }
  });

  it('come back from a file of many megabytes whose lines look like rows', async () => {
    await load({
      ...{ schema: 'p2p', name: 'lines', columns: 'id bigint, name text' },
      rows: `select id, repeat(E'a\\r\\nt,1,b\\r\\n', 100) from generate_series(1, 20000) as id`,
    });
    await client.files.ensure(team);
    const lines = await client.table(team, 'p2p', 'lines');
    if (!lines) throw new Error(client.lines.join());
    const [group] = rowsOfGroups(
      await client.reader.ask(columnQuestion(lines, ['name']), { groupsMax: 10, signal: never }),
    );
    expect(group).toEqual(['a\r\nt,1,b\r\n'.repeat(100), '20000']);
  });
});

describe('a table without rows, and one of a single column', () => {
  it('are stored and asked as any other', async () => {
    await load(
      { schema: 'p2p', name: 'nobody', columns: 'name text, amount numeric', rows: [] },
      { schema: 'p2p', name: 'single', columns: 'name text', rows: [{ name: null }, { name: '' }, { name: null }] },
    );
    const alone = await open(0);
    try {
      await alone.files.ensure(team);
      const options = { groupsMax: 10, signal: new AbortController().signal };
      const [empty, single] = [await alone.table(team, 'p2p', 'nobody'), await alone.table(team, 'p2p', 'single')];
      if (!empty || !single) throw new Error(alone.lines.join());
      expect(rowsOfGroups(await alone.reader.ask(columnQuestion(empty, []), options))).toEqual([['0']]);
      expect(rowsOfGroups(await alone.reader.ask(columnQuestion(empty, ['name']), options))).toEqual([]);
      expect(rowsOfGroups(await alone.reader.ask(columnQuestion(single, ['name']), options))).toEqual([
        ['', '1'],
        [null, '2'],
      ]);
    } finally {
      await alone.end();
    }
  });
});

it('a table of many pages is measured and copied in ranges of them, each row once', async () => {
  await load({
    schema: 'p2p',
    name: 'pages',
    columns: 'id bigint, amount numeric, at timestamptz, note text',
    rows: `select g as id, (case when g % 7 > 0 then g / (case when g % 2 = 0 then 4.0 else 10 end) end)::numeric(20, 3) as amount,
      timestamptz '2020-01-01Z' + g * interval '1 second' as at, repeat('x', 400) as note from generate_series(1, 45000) g`,
  });
  const place = (await fixture.catalogs.of(team)).schemas.get('p2p') ?? { physical: '', role: '' };
  const rows = { pool: fixture.pools.loads, team, table: 'pages', ...place };
  let ranges = 0;
  for await (const range of measuredRanges(rows, never)) ranges += range.before > range.from ? 1 : 0;
  expect(ranges).toBeGreaterThan(1);
  const columns = (await readTableColumns(fixture.pools.light, { team, schema: 'p2p', table: 'pages' })) ?? new Map();
  const [count, ...measured] = await readAggregates(rows, measuringCells(columns, duckdbStorage), never);
  const measurements = measured.map((text): ColumnMeasurement => JSON.parse(text ?? ''));
  expect(await measureGeneration(rows, columns, duckdbStorage, never)).toEqual(
    planStoredColumns(columns, { rows: Number(count), measurements }, duckdbStorage),
  );
  let text = '';
  for await (const piece of copyRows(rows, ['id'], { timeoutMs: 60_000, signal: never }))
    text += Buffer.from(piece).toString();
  expect(new Set(text.trim().split('\r\n')).size).toBe(45_000);
  expect(text.trim().split('\r\n')).toHaveLength(45_000);
});
