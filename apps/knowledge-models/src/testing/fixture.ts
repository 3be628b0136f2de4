/**
 * What a spec of reading needs: a database, pools as the service has them, teams with published models and loaded tables,
 * and callers. Models and tables come in by the shortest way: nothing checks them but what reads them.
 */
import { createHash } from 'node:crypto';
import type { ByteReply, CallerAttributes } from '@tessera/contracts';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { waitForReplicas } from '@tessera/definitions';
import type { Failure, Result } from '@tessera/failures';
import { silentLog, type OperationContext } from '@tessera/messaging';
import { runInTenantTransaction, type PoolClient } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import { knowledgeModelsEntities } from '@tessera/persistence/knowledge-models';
import type { DataSource } from 'typeorm';
import type { EventPublishTrigger } from '@tessera/service-kit';
import { quoteIdentifier } from '@tessera/sql';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { Catalogs } from '../catalog/catalogs.js';
import { Pools } from '../database.module.js';
import { knowledgeModelsSettings } from '../settings.js';

export type TestTable = {
  /** As definitions name it. */
  readonly schema: string;
  readonly name: string;
  /** What stands in the parentheses of `create table`: columns, keys, checks. */
  readonly columns: string;
  /** Objects by column, or a select whose columns fit. */
  readonly rows: readonly Readonly<Record<string, unknown>>[] | string;
  /** Statements after the rows are in; `$table` stands for the table. */
  readonly then?: readonly string[];
};

export type Fixture = {
  readonly database: TestDatabase;
  readonly pools: Pools;
  /** Its entities, on the pools. */
  readonly source: DataSource;
  readonly catalogs: Catalogs;
  /** Another version of each, at once. */
  readonly publish: (team: string, ...definitions: readonly KnowledgeModelDefinition[]) => Promise<void>;
  /** Another generation of the table in place of the one before, in one transaction. */
  readonly load: (team: string, ...tables: readonly TestTable[]) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** `environment` beside the address of the database. */
export const openFixture = async (environment: Readonly<Record<string, string>> = {}): Promise<Fixture> => {
  const database = await createTestDatabase();
  const configuration = knowledgeModelsSettings.parse({
    DATABASE_URL: database.urlFor('knowledge-models'),
    ...environment,
  });
  const pools = new Pools(configuration, silentLog);
  const change = async (team: string, work: (client: PoolClient) => Promise<void>): Promise<void> => {
    await runInTenantTransaction(pools.loads, team, async (client) => {
      await client.query(nextRevision, [team]);
      await work(client);
    });
    await waitForReplicas();
  };
  return {
    database,
    pools,
    source: openDataSource(pools.light, knowledgeModelsEntities),
    catalogs: new Catalogs(pools),
    publish: (team, ...definitions) =>
      change(team, async (client) => {
        for (const definition of definitions) await storeModel(client, team, definition);
      }),
    load: (team, ...tables) =>
      change(team, async (client) => {
        for (const table of tables) await replaceTable(client, team, table);
      }),
    end: async () => {
      await pools.onApplicationShutdown();
      await database.drop();
    },
  };
};

const nextRevision = `insert into knowledge_models.team_state (tenant) values ($1)
  on conflict (tenant) do update set revision = team_state.revision + 1`;

const storeModel = async (client: PoolClient, team: string, definition: KnowledgeModelDefinition): Promise<void> => {
  const text = JSON.stringify(definition);
  await client.query(
    `with model as (
      insert into knowledge_models.model (tenant, model_id, published_version, changed_by) values ($1, $2, 1, 'spec')
      on conflict (tenant, model_id) do update set published_version = model.published_version + 1
      returning published_version)
    insert into knowledge_models.model_version (tenant, model_id, version, definition, digest, published_by)
    select $1, $2, published_version, $3, $4, 'spec' from model`,
    [team, definition.id, text, createHash('sha256').update(text).digest()],
  );
};

type Place = { readonly physical_name: string; readonly role_name: string };

const replaceTable = async (client: PoolClient, team: string, table: TestTable): Promise<void> => {
  const opened = await client.query<Place>('select * from knowledge_models.open_team_schema($1, $2)', [
    team,
    table.schema,
  ]);
  const [place] = opened.rows;
  if (!place) throw new Error('The schema was not opened.');
  const name = `${quoteIdentifier(place.physical_name)}.${quoteIdentifier(table.name)}`;
  await client.query(`drop table if exists ${name}`);
  await client.query(`create table ${name} (${table.columns})`);
  if (typeof table.rows === 'string') await client.query(`insert into ${name} ${table.rows}`);
  else
    await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [
      JSON.stringify(table.rows),
    ]);
  await client.query(`grant select on ${name} to ${quoteIdentifier(place.role_name)}`);
  for (const statement of table.then ?? []) await client.query(statement.replaceAll('$table', name));
  await client.query(
    `insert into knowledge_models.team_table (tenant, schema_name, table_id, definition, digest, data_version, row_count)
    values ($1, $2, $3, '{}', '', 1, (select count(*) from ${name}))
    on conflict (tenant, schema_name, table_id)
    do update set data_version = team_table.data_version + 1, row_count = excluded.row_count`,
    [team, table.schema, table.name],
  );
};

export type TestCaller = {
  readonly scopes?: readonly string[];
  readonly attributes?: CallerAttributes;
  readonly signal?: AbortSignal;
};

/** Somebody of the team who may read; `scopes` are those that only policies ask for. */
export const callerContextOf = (team: string, { scopes, attributes, signal }: TestCaller = {}): OperationContext => ({
  caller: {
    team,
    subject: 'tester',
    scopes: ['knowledge-models:read'],
    ...(scopes && { furtherScopes: scopes }),
    ...(attributes && { attributes }),
  },
  requestId: 'request-1',
  deadlineMs: Date.now() + 30_000,
  publicUrl: 'https://tessera.example:8443',
  signal: signal ?? new AbortController().signal,
});

export const readBodyText = async ({ body }: ByteReply): Promise<string> => {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

/** What a body holds, until it is compared. */
export type Json = ReturnType<typeof JSON.parse>;

/** The body as data; throws when the answer is a failure. */
export const readJsonAnswer = async (answer: Promise<Result<ByteReply>>): Promise<Json> => {
  const result = await answer;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return JSON.parse(await readBodyText(result.value));
};

/** The failure; undefined when there is none. */
export const readFailure = async (answer: Promise<Result<unknown>>): Promise<Failure | undefined> => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};

/** Events stay in the outbox. */
export const noopEventPublishing: EventPublishTrigger = { wake: () => undefined };
