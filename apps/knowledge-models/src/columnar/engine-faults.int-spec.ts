/** What becomes of questions when their engine is killed, late, full, or asked for what it must not read. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ColumnarExpression, ColumnarQuery, ColumnarTable } from '@tessera/knowledge-model';
import { waitUntil } from '@tessera/testing';
import { openColumnarClient, type ColumnarClient } from '../testing/columnar-client.js';
import { columnQuestion, countRows, rowsOfGroups, storedColumn } from '../testing/columnar-questions.js';
import { openFixture, type Fixture } from '../testing/fixture.js';

const [team, other] = ['meridian', 'northgate'];
const numbers = {
  schema: 'p2p',
  name: 'numbers',
  columns: 'id bigint, name text',
  rows: `select id, 'name ' || id from generate_series(1, 3000) as id`,
};
const never = new AbortController().signal;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.load(team, numbers);
  await fixture.load(other, numbers);
});
afterAll(() => fixture?.end());

const openTable = async (client: ColumnarClient, of = team): Promise<ColumnarTable> => {
  await client.files.ensure(of);
  const found = await client.table(of, 'p2p', 'numbers');
  if (!found) throw new Error(client.lines.join());
  return found;
};
const withClient = async (
  options: Parameters<typeof openColumnarClient>[1],
  work: (client: ColumnarClient, table: ColumnarTable) => Promise<void>,
): Promise<void> => {
  const client = await openColumnarClient(fixture, options);
  try {
    await work(client, await openTable(client));
  } finally {
    await client.end();
  }
};
const count = async ({ reader }: ColumnarClient, table: ColumnarTable, signal = never) =>
  rowsOfGroups(await reader.ask(columnQuestion(table, []), { groupsMax: 10, signal }));

const isTrue: ColumnarExpression = { kind: 'literal', value: 'true', type: { kind: 'boolean' } };
/** Every row with every other, five times: it would not end for days. */
const endless = ({ key }: ColumnarTable): ColumnarQuery => ({
  sources: [{ table: key }, ...Array.from({ length: 4 }, () => ({ table: key, on: isTrue }))],
  keys: [],
  aggregates: [countRows],
});
const outcomeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error),
  );

describe('a question whose process is killed', () => {
  it('ends with the reason for which PostgreSQL answers, and the next one is answered by another process', () =>
    withClient({}, async (client, table) => {
      await count(client, table);
      const { pid = 0 } = client.process;
      const asked = outcomeOf(client.reader.ask(endless(table), { groupsMax: 10, signal: never }));
      process.kill(pid, 'SIGKILL');
      expect(await asked).toBe('engine-ended');
      expect(client.lines).toContain('SIGKILL');
      await waitUntil(async () => (await outcomeOf(count(client, table))) === 'answered');
      expect(await count(client, table)).toEqual([['3000']]);
      expect(client.process.pid).not.toBe(pid);
    }));
});

describe('a process that nobody asks', () => {
  it('ends, and the next question starts another one', () =>
    withClient({ engine: { idleMs: 1 } }, async (client, table) => {
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await count(client, table)).toEqual([['3000']]);
        await waitUntil(() => client.process.pid === undefined);
        expect(await client.process.memoryBytes()).toBe(0);
      }
      expect(client.process.starts).toBeGreaterThan(2);
      expect(client.lines.filter((line) => line.startsWith('SIG'))).toEqual([]);
    }));
});

describe('a question that takes too long', () => {
  it('ends when nobody waits for it any more, and the process answers the next one', () =>
    withClient({ concurrency: 1 }, async (client, table) => {
      await count(client, table);
      const { pid } = client.process;
      const left = new AbortController();
      const asked = outcomeOf(client.reader.ask(endless(table), { groupsMax: 10, signal: left.signal }));
      left.abort('nobody waits');
      expect(await asked).toBe('nobody waits');
      expect(await count(client, table)).toEqual([['3000']]);
      expect(client.process.pid).toBe(pid);
      await expect(count(client, table, left.signal)).rejects.toBe('nobody waits');
    }));

  it('ends at its time-out, and the process goes on', () =>
    withClient({}, async (client, table) => {
      const { process: engine } = client;
      await engine.version();
      const { pid } = engine;
      const text = 'select count(*)::varchar from range(1000000000000) as numbers (n) where n % 7 = hash(n) % 5';
      const command = { kind: 'ask', team, files: [], text, values: [], rowsMax: 10, charactersMax: 1_000 } as const;
      expect(await outcomeOf(engine.run(command, { signal: never, timeoutMs: 300 }))).toBe('timeout');
      expect(await count(client, table)).toEqual([['3000']]);
      expect(engine.pid).toBe(pid);
    }));

  it('is refused when it waited too long for its turn', () =>
    withClient({ concurrency: 1, waitMs: 1 }, async (client, table) => {
      const left = new AbortController();
      const first = outcomeOf(client.reader.ask(endless(table), { groupsMax: 10, signal: left.signal }));
      expect(await outcomeOf(client.reader.ask(endless(table), { groupsMax: 10, signal: never }))).toBe('busy');
      left.abort('done');
      expect(await first).toBe('done');
    }));
});

describe('a question that is too large', () => {
  it('is refused when it has more groups than may be handed over', () =>
    withClient({}, async (client, table) => {
      const question = columnQuestion(table, ['id']);
      const most = await client.reader.ask(question, { groupsMax: 3_000, signal: never });
      expect(most.rows).toBe(3_000);
      expect(await outcomeOf(client.reader.ask(question, { groupsMax: 2_999, signal: never }))).toBe('too-many-groups');
      expect(client.outcomes.slice(-2)).toEqual(['answered', 'too-many-groups']);
    }));

  it('is refused when neither its memory nor its room on the disk is enough, and the process goes on', () =>
    withClient({ engine: { memoryBytes: 24 * 1024 ** 2, temporaryBytes: 1024 ** 2 } }, async (client, table) => {
      await count(client, table);
      const { pid } = client.process;
      const every = {
        sources: [{ table: table.key }, { table: table.key, on: isTrue }],
        keys: [storedColumn(table, 'name'), storedColumn(table, 'name', 1)],
        aggregates: [countRows],
      };
      expect(await outcomeOf(client.reader.ask(every, { groupsMax: 10, signal: never }))).toBe('out-of-memory');
      expect(await count(client, table)).toEqual([['3000']]);
      expect(client.process.pid).toBe(pid);
    }));
});

describe('what a question can reach', () => {
  it('is no table of another team', () =>
    withClient({}, async (client, table) => {
      const foreign = await openTable(client, other);
      const { sources, ...question } = columnQuestion(table, []);
      const mixed = { ...question, sources: [...sources, { table: foreign.key, on: isTrue }] };
      expect(await outcomeOf(client.reader.ask(mixed, { groupsMax: 10, signal: never }))).toBe('failed');
      const unknown = { ...question, sources: [{ table: { ...table.key, dataVersion: '99' } }] };
      expect(await outcomeOf(client.reader.ask(unknown, { groupsMax: 10, signal: never }))).toBe('no-table');
      expect(client.files.find({ ...table.key, team: 'nobody' })).toBeUndefined();
    }));

  it('is no file of the machine, no file that is not attached, and no setting', () =>
    withClient({}, async (client, table) => {
      const secret = join(client.folder, 'secret.csv');
      await writeFile(secret, 'top,secret\r\n');
      const [mine, theirs] = [client.files.open(table.key), client.files.open((await openTable(client, other)).key)];
      if (!mine || !theirs) throw new Error('There are two files.');
      const run = (text: string) =>
        outcomeOf(
          client.process.run(
            { kind: 'ask', team, files: [mine.file], text, values: [], rowsMax: 10, charactersMax: 1_000 },
            { signal: never, timeoutMs: 60_000 },
          ),
        );
      expect(await run(`select count(*)::varchar from ${mine.file.name}.generation`)).toBe('answered');
      for (const text of [
        `select * from read_csv('${secret}')`,
        `select content from read_text('${secret}')`,
        `attach '${theirs.file.path}' as theirs (read_only)`,
        `copy (select 1) to '${join(client.folder, 'out.csv')}'`,
        `select count(*)::varchar from ${theirs.file.name}.generation`,
        `set memory_limit = '10GB'`,
        'set enable_external_access = true',
        `insert into ${mine.file.name}.generation values (1, 'x')`,
        'install httpfs',
      ])
        expect([text, await run(text)]).toEqual([text, 'failed']);
      for (const opened of [mine, theirs]) opened.close();
    }));
});
