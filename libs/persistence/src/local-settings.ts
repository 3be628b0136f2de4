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
const preparedOn = new WeakMap<pg.Connection, Set<string>>();

/** pg leaves this argument of its methods unused; its types want it. */
export const more = true;

/** Writes the messages that make the settings; PostgreSQL answers them with one CommandComplete. */
export const sendSettings = (connection: pg.Connection, settings: LocalSettings): void =>
  send(connection, { name: `set_local_${settings.length}`, text: () => textFor(settings.length) }, settings.flat());

/** A statement of nothing, answered with one CommandComplete, by whatever role. */
export const sendNothing = (connection: pg.Connection): void =>
  send(connection, { name: 'nothing', text: () => 'select where false' }, []);

type Small = { readonly name: string; readonly text: () => string };

const send = (connection: pg.Connection, { name, text }: Small, values: string[]): void => {
  let prepared = preparedOn.get(connection);
  if (!prepared) preparedOn.set(connection, (prepared = new Set()));
  if (!prepared.has(name)) {
    connection.parse({ name, text: text(), types: [] }, more);
    prepared.add(name);
  }
  connection.bind({ statement: name, values }, more);
  connection.execute(null, more);
};
