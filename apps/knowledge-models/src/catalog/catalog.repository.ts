/** Reads what a team has: its revision, and all of it as it is at one moment. */
import { readAsTenant, type Pool } from '@tessera/persistence';
import { z } from 'zod';

/** One statement, so that the revision is the one of all the rest. Definitions of known digests do not travel. */
const catalogText = `
  select revision::text,
    (select json_agg(json_build_object('id', m.model_id, 'version', m.published_version,
        'publishedAt', to_char(v.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'digest', encode(v.digest, 'hex'),
        'definition', case when encode(v.digest, 'hex') = any($2::text[]) then null else v.definition end)
        order by m.model_id collate "C")::text
      from knowledge_models.model m
      join knowledge_models.model_version v
        on v.tenant = m.tenant and v.model_id = m.model_id and v.version = m.published_version
      where m.tenant = $1) as models,
    (select json_agg(json_build_object('schema', schema_name, 'table', table_id, 'dataVersion', data_version::text,
        'rows', row_count) order by schema_name collate "C", table_id collate "C")::text
      from knowledge_models.team_table where tenant = $1) as tables,
    (select json_agg(json_build_object('schema', schema_name, 'physical', physical_name, 'role', role_name))::text
      from knowledge_models.team_schema where tenant = $1) as schemas
  from knowledge_models.team_state where tenant = $1`;

const modelRows = z.array(
  z.object({
    id: z.string(),
    version: z.int(),
    publishedAt: z.string(),
    digest: z.string(),
    /** Null when the digest is known. */
    definition: z.unknown(),
  }),
);
const tableRows = z.array(
  z.object({ schema: z.string(), table: z.string(), dataVersion: z.string(), rows: z.number() }),
);
const schemaRows = z.array(z.object({ schema: z.string(), physical: z.string(), role: z.string() }));

export type CatalogRows = {
  readonly revision: string;
  readonly models: z.output<typeof modelRows>;
  readonly tables: z.output<typeof tableRows>;
  readonly schemas: z.output<typeof schemaRows>;
};

export const readCatalog = async (
  pool: Pool,
  team: string,
  knownDigests: readonly string[],
): Promise<CatalogRows | undefined> => {
  const values = [team, knownDigests];
  const [row] = await readAsTenant<CatalogRow>(pool, team, { name: 'catalog_read', text: catalogText, values });
  if (!row) return undefined;
  return {
    revision: row.revision,
    models: modelRows.parse(parseList(row.models)),
    tables: tableRows.parse(parseList(row.tables)),
    schemas: schemaRows.parse(parseList(row.schemas)),
  };
};

/** Texts of JSON; null when there are none. */
type CatalogRow = { readonly revision: string } & Readonly<Record<'models' | 'tables' | 'schemas', string | null>>;

const parseList = (text: string | null): unknown => (text === null ? [] : JSON.parse(text));

const namesText = `
  select array(select model_id from knowledge_models.model
      where tenant = $1 and published_version is not null order by model_id collate "C")::text[] as published,
    array(select model_id from knowledge_models.model
      where tenant = $1 and draft is not null order by model_id collate "C")::text[] as drafts`;

type ModelNames = { published: string[]; drafts: string[] };

/** In the order of their ids; without their definitions. */
export const readModelNames = async (pool: Pool, team: string): Promise<ModelNames> => {
  const statement = { name: 'catalog_names', text: namesText, values: [team] };
  const [names] = await readAsTenant<ModelNames>(pool, team, statement);
  return names ?? { published: [], drafts: [] };
};

type DraftRow = { readonly id: string; readonly definition: unknown };

const draftsText = `select model_id as id, draft as definition from knowledge_models.model where tenant = $1 and draft is not null`;

/** Every draft of the team: one may extend another. */
export const readDrafts = (pool: Pool, team: string): Promise<readonly DraftRow[]> =>
  readAsTenant(pool, team, { name: 'catalog_drafts', text: draftsText, values: [team] });
