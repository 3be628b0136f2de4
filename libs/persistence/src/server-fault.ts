import type pg from 'pg';

const oldestVersion = 18;

/** What was expected instead; undefined when nothing is wrong. */
export const serverFault = async (database: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> => {
  const { rows } = await database.query<{ readonly version: number; readonly encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding`,
  );
  const [{ version, encoding } = { version: 0, encoding: '' }] = rows;
  if (version < oldestVersion) return `PostgreSQL ${oldestVersion} or newer; this is ${version}`;
  return encoding === 'UTF8' ? undefined : `a database with the encoding UTF8; this has ${encoding}`;
};
