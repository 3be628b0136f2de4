import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { agentsEntities } from './agents/entities/index.js';
import { contentRepoEntities } from './content-repo/entities/index.js';
import { databaseServiceNames, databaseServices, type DatabaseServiceName } from './database-services.js';
import { gatewayEntities } from './gateway/entities/index.js';
import { knowledgeModelsEntities } from './knowledge-models/entities/index.js';
import { SnakeCaseNamingStrategy } from './data-source.js';
import { toolGatewayEntities } from './tool-gateway/entities/index.js';

const entities: Readonly<Record<DatabaseServiceName, readonly (new () => object)[]>> = {
  gateway: gatewayEntities,
  'content-repo': contentRepoEntities,
  'knowledge-models': knowledgeModelsEntities,
  'tool-gateway': toolGatewayEntities,
  agents: agentsEntities,
};

/** TypeORM keeps what it knows of generated columns in this table, and asks for it when there are any. */
const typeormMetadata =
  'create table content_repo.typeorm_metadata (type text, database text, schema text, "table" text, name text, value text)';

/** What entities cannot say: columns that a function generates, and defaults that cast what a function answers. */
const unsaid: Readonly<Partial<Record<DatabaseServiceName, readonly string[]>>> = {
  'content-repo': [
    'content_repo.rendition.folded_names',
    'content_repo.rendition.folded_texts',
    'content_repo.element.revision',
    'content_repo.element_version.revision',
    'content_repo.rendition.from_sequence',
  ],
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await query(typeormMetadata);
});
afterAll(() => database?.drop());

const query = async (text: string): Promise<readonly (readonly unknown[])[]> => {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
};

const onSource = async <T>(service: DatabaseServiceName, work: (source: DataSource) => Promise<T>): Promise<T> => {
  const source = new DataSource({
    type: 'postgres',
    url: database.adminUrl,
    schema: databaseServices[service].schema,
    entities: [...entities[service]],
    namingStrategy: new SnakeCaseNamingStrategy(),
    installExtensions: false,
    poolSize: 1,
  });
  await source.initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
};

/** What TypeORM would change in the schema of the service so that it is what the entities say; columns by their names. */
const driftOf = (service: DatabaseServiceName): Promise<readonly string[]> =>
  onSource(service, async (source) => {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    const texts = upQueries.map(({ query: text }) => text).filter((text) => !text.includes('typeorm_metadata'));
    return texts.map((text) => {
      const [, schema, table, column] =
        /^ALTER TABLE "(\w+)"\."(\w+)" (?:DROP COLUMN|ALTER COLUMN) "(\w+)"(?: SET DEFAULT .*)?$/.exec(text) ?? [];
      return column === undefined ? text : `${schema}.${table}.${column}`;
    });
  });

describe('the entities', () => {
  it.each(databaseServiceNames)('of %s match its migrations', async (service) => {
    expect(await driftOf(service)).toEqual(unsaid[service] ?? []);
  });

  it.each(databaseServiceNames)('of %s cover all of its tables', async (service) => {
    const { schema } = databaseServices[service];
    const tables = await query(`select tablename::text from pg_tables where schemaname = '${schema}' order by 1`);
    const described = await onSource(service, async ({ entityMetadatas }) =>
      entityMetadatas.map(({ tableName }) => tableName),
    );
    const ofMigrations = ['expansion', 'migration', ...(service === 'content-repo' ? ['typeorm_metadata'] : [])];
    expect([...described, ...ofMigrations].toSorted()).toEqual(tables.flat());
  });

  it.each([
    ['alter table gateway.team alter column name drop not null', 'gateway.team'],
    ['alter table agents.turn drop constraint turn_tenant_conversation_id_fkey', 'turn_tenant_conversation_id_fkey'],
    ['drop index tool_gateway.tool_call_of_asset', 'tool_call_of_asset'],
    ['alter table knowledge_models.table_load add column planted text', 'knowledge_models.table_load.planted'],
  ])('are reported as different from the tables after: %s', async (statement, told) => {
    await query(statement);
    const drift = await Promise.all(databaseServiceNames.map(driftOf));
    const known = Object.values(unsaid).flat();
    const found = drift.flat().filter((each) => !known.includes(each));
    expect(found.some((each) => each.replaceAll('"', '').includes(told))).toBe(true);
  });
});
