/** What the reader makes of what a server says, over HTTP and by the real client; the answers were recorded from a real engine. */
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ColumnarQuery } from '@tessera/knowledge-model';
import { waitUntil } from '@tessera/testing';
import {
  serverError,
  startFakeClickhouse,
  type ClickhouseAnswer,
  type FakeClickhouse,
} from '../testing/fake-clickhouse.js';
import { ClickhouseConnection } from './clickhouse.repository.js';
import { ClickhouseReader, type ClickhouseReaderOptions } from './clickhouse-reader.js';

const table = { team: 'meridian', schema: 'p2p', table: 'sale', dataVersion: '1' };
const text = { kind: 'text' } as const;
const money = { kind: 'decimal', precision: 12, scale: 2 } as const;
const plant = { kind: 'column', source: 0, stored: 'c1', type: text } as const;
const long = 'x'.repeat(20_000);
const hostile = `it's a "b" \\ \t\n\r ${long}`;
const question: ColumnarQuery = {
  sources: [{ table }],
  where: {
    kind: 'comparison',
    operator: '<>',
    left: plant,
    right: { kind: 'literal', value: hostile, type: text },
    type: { kind: 'boolean' },
  },
  keys: [plant],
  aggregates: [
    {
      function: 'sum',
      distinct: false,
      argument: { kind: 'column', source: 0, stored: 'c2', type: money },
      type: { ...money, precision: 38 },
    },
  ],
};
const recorded =
  '["5", null, null]\n[null, null, "-0.05"]\n[null, "", "3.00"]\n[null, "NORTH", "8.50"]\n[null, "\uFEFFa\\"b\\\\\\t\\/\\u2028💥", null]\n';

let server: FakeClickhouse | undefined;
let connection: ClickhouseConnection | undefined;
afterEach(async () => {
  await connection?.close();
  await server?.stop();
});

const outcomes: string[] = [];
const open = async (
  answer: ClickhouseAnswer | (() => ClickhouseAnswer),
  options: Partial<ClickhouseReaderOptions> = {},
): Promise<ClickhouseReader> => {
  outcomes.length = 0;
  server = await startFakeClickhouse(() => (typeof answer === 'function' ? answer() : answer));
  connection = new ClickhouseConnection({ url: server.url, connectionsMax: 4 });
  return new ClickhouseReader({
    ...{
      connection,
      timeoutMs: 60_000,
      memoryBytes: 123_456_789,
      concurrency: 4,
      onAsked: (outcome: string) => outcomes.push(outcome),
    },
    tables: {
      source: ({ dataVersion }) => (dataVersion === '1' ? { name: 'tessera_1', rows: 5 } : undefined),
      doubt: () => undefined,
    },
    ...options,
  });
};
const ask = (
  reader: ClickhouseReader,
  { groupsMax = 10, signal = new AbortController().signal, query = question } = {},
) => reader.ask(query, { groupsMax, signal });
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: unknown) => error,
  );

describe('a question to a cluster', () => {
  it('is answered with the groups as they are', async () => {
    expect(await ask(await open(recorded))).toEqual({
      rows: 4,
      columns: [
        [null, '', 'NORTH', '\uFEFFa"b\\\t/\u2028💥'],
        ['-0.05', '3.00', '8.50', null],
      ],
    });
    expect(outcomes).toEqual(['answered']);
  });

  it('is sent with its user, its database, its limits, and its values apart from the statement', async () => {
    await ask(await open(recorded, { timeoutMs: 2_500 }));
    const [call] = server?.calls ?? [];
    expect(call?.authorization).toBe(`Basic ${Buffer.from('reader:s@crt').toString('base64')}`);
    expect(Object.fromEntries(call?.fields ?? [])).toMatchObject({
      ...{ database: 'copies', max_execution_time: '3', max_memory_usage: '123456789', wait_end_of_query: '1' },
      cancel_http_readonly_queries_on_client_close: '1',
      param_p0: `it\\'s a "b" \\\\ \\t\\n\\r ${long}`,
    });
    expect(call?.query).toContain('from tessera_1 as s0 where (s0.c1 <> cast({p0:String} as Nullable(String)))');
    expect(call?.query).not.toContain(long);
  });

  it.each([
    ['60', 'UNKNOWN_TABLE', 'no-table', 404],
    ['159', 'TIMEOUT_EXCEEDED', 'timeout', 500],
    ['202', 'TOO_MANY_SIMULTANEOUS_QUERIES', 'busy', 500],
    ['241', 'MEMORY_LIMIT_EXCEEDED', 'out-of-memory', 500],
    ['516', 'AUTHENTICATION_FAILED', 'failed', 403],
    ['407', 'DECIMAL_OVERFLOW', 'failed', 500],
  ])('is refused for error %s %s of the server: %s', async (code, type, reason, status) => {
    const failure = await failureOf(ask(await open(serverError(code, type, status))));
    expect(failure).toMatchObject({ name: 'ColumnarRefusal', reason });
    expect(String(failure)).not.toContain('SECRET-ROW');
    expect(outcomes).toEqual([reason]);
  });

  it.each([
    ['has more groups than may be handed over', recorded, { groupsMax: 3 }, 'too-many-groups'],
    ['is of a table that lacks rows there', recorded.replace('"5"', '"4"'), {}, 'no-table'],
    ['is not counted', recorded.split('\n').slice(1).join('\n'), {}, 'no-table'],
    ['has groups twice', `${recorded}[null, "NORTH", "1.00"]\n`, {}, 'failed'],
    ['has numbers for texts', '[5, null, null]\n', {}, 'failed'],
  ])('is refused when its answer %s', async (_title, answer, options, reason) => {
    expect(await failureOf(ask(await open(answer), options))).toMatchObject({ reason });
  });

  it('is refused when its answer is very long', async () => {
    const answer = `["5", null, null]\n${`[null, "${'x'.repeat(1_000_000)}", null]\n`.repeat(17)}`;
    expect(await failureOf(ask(await open(answer), { groupsMax: 100 }))).toMatchObject({ reason: 'too-many-groups' });
  });

  it('is refused when the server cannot be reached, or something else answers', async () => {
    const reader = await open({ status: 502, code: '', text: '<html>Bad Gateway</html>' });
    expect(await failureOf(ask(reader))).toMatchObject({ reason: 'engine-ended' });
    await server?.stop();
    expect(await failureOf(ask(reader))).toMatchObject({ reason: 'engine-ended' });
    server = undefined;
  });

  it('is not asked about a table that is not there, of two teams, or with a date that has no room', async () => {
    const reader = await open(recorded);
    const gone = { ...question, sources: [{ table: { ...table, dataVersion: '2' } }] };
    const mixed = { ...question, sources: [...question.sources, { table: { ...table, team: 'northgate' } }] };
    const ancient: ColumnarQuery = {
      ...question,
      where: {
        kind: 'in',
        operand: { ...plant, type: { kind: 'date' } },
        values: ['0044-03-15'],
        type: { kind: 'boolean' },
      },
    };
    for (const [query, reason] of [
      [gone, 'no-table'],
      [mixed, 'failed'],
      [ancient, 'values'],
    ] as const)
      expect(await failureOf(ask(reader, { query }))).toMatchObject({ reason });
    expect(server?.calls).toEqual([]);
  });
});

describe('a question that takes too long', () => {
  it('ends when nobody waits for it any more, on the server as well', async () => {
    const reader = await open(false);
    const left = new AbortController();
    const asked = failureOf(ask(reader, { signal: left.signal }));
    await waitUntil(() => server?.calls.length === 1);
    left.abort('nobody waits');
    expect(await asked).toBe('nobody waits');
    await waitUntil(() => server?.abandoned() === 1);
    expect(outcomes).toEqual(['cancelled']);
    await expect(ask(reader, { signal: left.signal })).rejects.toBe('nobody waits');
  });

  it('ends at its time', async () => {
    expect(await failureOf(ask(await open(false, { timeoutMs: 100 })))).toMatchObject({ reason: 'timeout' });
    await waitUntil(() => server?.abandoned() === 1);
  });

  it('is refused when it waited too long for its turn', async () => {
    const reader = await open(false, { concurrency: 1, waitMs: 1 });
    const left = new AbortController();
    const first = failureOf(ask(reader, { signal: left.signal }));
    expect(await failureOf(ask(reader))).toMatchObject({ reason: 'busy' });
    left.abort('done');
    expect(await first).toBe('done');
  });
});
