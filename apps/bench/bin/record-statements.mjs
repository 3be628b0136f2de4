/**
 * Loaded into the services by NODE_OPTIONS: records the transactions that a service sends to PostgreSQL. The first
 * SIGWINCH starts the recording, the second writes what was committed since and stops it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.BENCH_WATCH_FOLDER;

const record = async () => {
  const { default: pg } = await import('pg');
  const wire = pg.Connection.prototype;
  const { query, parse, bind } = wire;
  const open = new Map();
  const unnamed = new WeakMap();
  const committed = [];
  const note = (connection, statement) => {
    if (/^\s*begin\b/i.test(statement.text)) open.set(connection, []);
    open.get(connection)?.push(statement);
    if (!/^\s*(commit|rollback)\b/i.test(statement.text)) return;
    const transaction = open.get(connection);
    if (transaction && /commit/i.test(statement.text)) committed.push(transaction);
    open.delete(connection);
  };
  wire.query = function (text) {
    note(this, { text });
    return query.call(this, text);
  };
  wire.parse = function (statement) {
    if (!statement.name) unnamed.set(this, statement.text);
    return parse.call(this, statement);
  };
  wire.bind = function (portal) {
    const { statement: name = '', values = [], valueMapper = (value) => value } = portal;
    const text = this.parsedStatements[name] ?? this.submittedNamedStatements[name] ?? unnamed.get(this) ?? '';
    note(this, { name, text, values: values.map((value) => valueMapper(value)) });
    return bind.call(this, portal);
  };
  return () => {
    Object.assign(wire, { query, parse, bind });
    writeFileSync(join(folder, `${process.pid}.statements.json`), JSON.stringify(committed));
  };
};

if (folder && process.env.SERVICE) {
  let end;
  process.on('SIGWINCH', () => {
    if (!end) end = record();
    else {
      void end.then((write) => write());
      end = undefined;
    }
  });
}
