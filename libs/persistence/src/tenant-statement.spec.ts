import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PipelinedStatement } from './tenant-statement.js';

const read = createRequire(join(process.cwd(), 'libs', 'persistence', 'package.json'));
const linesOf = (file: string): string => readFileSync(read.resolve(file), 'utf8');

/** A connection of pg, and the messages of each of its writes: a letter, and what follows the length with its zeros as dots. */
const recordingConnection = () => {
  const writes: (readonly string[])[] = [];
  const stream = new Duplex({
    read: () => undefined,
    writev: (chunks, done) => {
      writes.push(messagesIn(Buffer.concat(chunks.map(({ chunk }: { chunk: Uint8Array }) => chunk))));
      done();
    },
  });
  return { writes, connection: new pg.Connection({ stream: () => stream }) };
};

const messagesIn = (bytes: Buffer): readonly string[] => {
  if (bytes.length === 0) return [];
  const end = 1 + bytes.readInt32BE(1);
  const message = `${bytes.toString('latin1', 0, 1)} ${bytes.toString('latin1', 5, end)}`;
  return [message.replaceAll(/[^ -~]/g, '.').trim(), ...messagesIn(bytes.subarray(end))];
};

const statementOf = (batchRows?: number) =>
  new PipelinedStatement(
    {
      ...{ settings: [['app.tenant', 'one']], text: 'select $1', values: [['a"b', null, [2]]], batchRows },
      ...{ preparedName: 't_named', format: { isDescribed: true, rowOf: (texts) => texts } },
    },
    () => undefined,
  );

/** Exactly what `tenant-statement.ts` relies on; where one of these fails after an upgrade, read the changes of pg. */
describe('the internal interface of pg', () => {
  it('is that of the pinned version of the package', () => {
    const { version } = JSON.parse(linesOf('pg/package.json')) as { readonly version: string };
    const { dependencies } = JSON.parse(linesOf('./package.json')) as {
      readonly dependencies: { readonly pg: string };
    };
    expect([version, dependencies.pg]).toEqual(['8.23.1', '8.23.1']);
  });

  it('passes exactly the messages to a query that our statements can cause', () => {
    const handlers = [...linesOf('pg/lib/client.js').matchAll(/\bactiveQuery\.(handle\w+)/g)].map(
      ([, name]) => name ?? '',
    );
    const unheard = ['handleCopyData', 'handleCopyInResponse', 'handleEmptyQuery'];
    const heard = [...new Set(handlers)].filter((name) => name in statementOf());
    expect(heard.sort()).toEqual([
      ...['handleCommandComplete', 'handleDataRow', 'handleError', 'handlePortalSuspended'],
      ...['handleReadyForQuery', 'handleRowDescription'],
    ]);
    expect([...new Set(handlers)].sort()).toEqual([...heard, ...unheard].sort());
  });

  it('sends a statement and its settings in one write up to one Sync, and prepares both once', () => {
    const { writes, connection } = recordingConnection();
    const first = statementOf();
    expect(first.submit(connection)).toBeNull();
    first.handleCommandComplete();
    first.handleReadyForQuery();
    void first.batch();
    statementOf().submit(connection);
    const setLocal = 'select where set_config($1, $2, true) is null';
    const bound = ['B .set_local_1.............app.tenant....one....', 'E .....'];
    const bind = 'B .t_named...........{"a\\"b",null,{"2"}}....';
    expect(writes).toEqual([
      [`P set_local_1.${setLocal}...`, ...bound, 'P t_named.select $1...', bind, 'D P.', 'E .....', 'S'],
      [...bound, bind, 'D P.', 'E .....', 'S'],
    ]);
  });

  it('sends a batch up to a Flush, followed by the next one', () => {
    const { writes, connection } = recordingConnection();
    const statement = statementOf(300);
    statement.submit(connection);
    void statement.batch();
    statement.handleCommandComplete();
    statement.handlePortalSuspended();
    const batch = ['E rows....,', 'P nothing.select where false...', 'B .nothing.........', 'E .....', 'H'];
    expect(writes[0]?.slice(-6)).toEqual(['B rows.t_named...........{"a\\"b",null,{"2"}}....', ...batch]);
    expect(writes[1]).toEqual(batch.filter((message) => !message.startsWith('P')));
  });
});
