/**
 * Where the tables of a model are: the schema of its team, read as the team's role, or an external database that the team
 * may read. And what is known of the age of their rows.
 * Refuses: tables that were never loaded, and databases that are not configured for the team.
 */
import { fail, succeed, type Result } from '@tessera/failures';
import type { Pool } from '@tessera/persistence';
import type { CallerModel } from '../catalog/caller-models.js';
import type { Pools } from '../database/pools.js';
import type { ExternalDatabases } from '../external/external-databases.js';

export type Source = {
  readonly team: string;
  readonly pool: Pool;
  /** As PostgreSQL knows it. */
  readonly schema: string;
  /** Absent in an external database. */
  readonly role?: string;
  /** Changes with the data of these tables. */
  readonly versionsOf: (tables: readonly string[]) => Result<string>;
};

type SourceContext = { readonly pools: Pools; readonly external: ExternalDatabases };

export const sourceOf = (
  { pools, external }: SourceContext,
  team: string,
  { catalog, view }: Pick<CallerModel, 'catalog' | 'view'>,
): Result<Source> => {
  const { schema: name, database } = view.model.source;
  if (database === undefined) {
    const schema = catalog.schemas.get(name);
    if (!schema) return notLoaded;
    const versionsOf: Source['versionsOf'] = (tables) => loadedVersions(catalog.tables, name, tables);
    return succeed({ team, pool: pools.queries, schema: schema.physical, role: schema.role, versionsOf });
  }
  const source = external.find(database, team);
  if (!source) return notConfigured(database);
  return succeed({
    team,
    pool: source.pool,
    schema: name,
    versionsOf: () => succeed(`${database} ${source.freshness}`),
  });
};

const loadedVersions = (
  loaded: CallerModel['catalog']['tables'],
  schema: string,
  tables: readonly string[],
): Result<string> => {
  const versions: string[] = [];
  for (const table of tables) {
    const version = loaded.get(`${schema}.${table}`)?.dataVersion ?? neverLoaded;
    if (version === neverLoaded) return notLoaded;
    versions.push(`${table} ${version}`);
  }
  return succeed(versions.join(' '));
};

const neverLoaded = '0';

const retryAfterSeconds = 30;
const notLoaded = fail('SERVICE_UNAVAILABLE', 'The tables of this knowledge model have not been loaded yet.', {
  retryAfterSeconds,
});
const notConfigured = (database: string) =>
  fail('SERVICE_UNAVAILABLE', `The database ${database} of this knowledge model is not configured for the team.`, {
    retryAfterSeconds,
  });
