/**
 * Settings that travel in front of a statement, in the same flight up to one Sync, which PostgreSQL runs as one implicit
 * transaction; they end with it.
 * Refuses: rows, so that the statement is what has some, and settings that outlive the statement.
 */
import type pg from 'pg';

export type LocalSettings = readonly (readonly [name: string, value: string])[];

/** By how many settings it makes; `or`, since all have to be made and none gives null. */
const textFor = (count: number): string =>
  `select where ${Array.from({ length: count }, (_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true) is null`).join(' or ')}`;

/** Which of these statements a connection has. Nothing that they depend on can go away. */
const preparedOn = new WeakMap<pg.Connection, Set<number>>();

/** pg leaves this argument of its methods unused; its types want it. */
export const more = true;

/** Writes the messages that make the settings; PostgreSQL answers them with one CommandComplete. */
export const sendSettings = (connection: pg.Connection, settings: LocalSettings): void => {
  const name = `set_local_${settings.length}`;
  let prepared = preparedOn.get(connection);
  if (!prepared) preparedOn.set(connection, (prepared = new Set()));
  if (!prepared.has(settings.length)) {
    connection.parse({ name, text: textFor(settings.length), types: [] }, more);
    prepared.add(settings.length);
  }
  connection.bind({ statement: name, values: settings.flat() }, more);
  connection.execute(null, more);
};
