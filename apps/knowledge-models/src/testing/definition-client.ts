/** Applies, exports and deletions of a spec, through the handler as the gateway calls it. */
import type { Caller, ReplyOf } from '@tessera/contracts';
import {
  applyModelDefinitions,
  type exportModelDefinitions,
  type KnowledgeModelDefinition,
  type TableDefinition,
} from '@tessera/contracts/knowledge-models';
import type { Failure } from '@tessera/failures';
import type { OperationContext } from '@tessera/messaging';
import { runInTenantTransaction } from '@tessera/persistence';
import { ExternalDatabases } from '../database/external-databases.js';
import { DefinitionsHandler } from '../definitions/definitions.handler.js';
import type { TableIndexes } from '../loads/table-indexes.js';
import { readJsonAnswer, callerContextOf, readFailure, noopEventPublishing, type Fixture } from './fixture.js';

type Definitions = readonly (KnowledgeModelDefinition | TableDefinition)[];
type ApplyOptions = {
  readonly mode?: 'publish' | 'draft' | 'check';
  readonly againstDatabase?: boolean;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string | undefined;
};

export type DefinitionClient = {
  readonly handler: DefinitionsHandler;
  readonly apply: (definitions: Definitions, options?: ApplyOptions) => ReturnType<DefinitionsHandler['apply']>;
  /** Throws when it was refused. */
  readonly applied: (
    definitions: Definitions,
    options?: ApplyOptions,
  ) => Promise<ReplyOf<typeof applyModelDefinitions>>;
  readonly refused: (definitions: Definitions, options?: ApplyOptions) => Promise<Failure | undefined>;
  readonly exported: () => Promise<ReplyOf<typeof exportModelDefinitions>>;
};

export const adminContextOf = (team: string, of: Partial<Caller> = {}): OperationContext => ({
  ...callerContextOf(team),
  caller: { team, subject: 'admin', scopes: ['admin'], ...of },
});

/** For specs that look at definitions alone. */
export const noopTableIndexes: Pick<TableIndexes, 'ensure'> = { ensure: () => undefined };

export const noExternalDatabases = new ExternalDatabases(
  {},
  { statementTimeoutMs: 1_000, onIdleError: () => undefined },
);

export const openDefinitionClient = (
  { source, pools }: Pick<Fixture, 'source' | 'pools'>,
  team: string,
  external: ExternalDatabases = noExternalDatabases,
  indexes: Pick<TableIndexes, 'ensure'> = noopTableIndexes,
  ready: Promise<unknown> = Promise.resolve(),
): DefinitionClient => {
  const handler = new DefinitionsHandler(source, pools, noopEventPublishing, external, indexes);
  const context = adminContextOf(team);
  const apply: DefinitionClient['apply'] = async (definitions, { idempotencyKey, ifMatch, ...options } = {}) => {
    await ready;
    const request = { team, apply: { definitions, ...options }, idempotencyKey, ifMatch };
    return handler.apply(applyModelDefinitions.request.parse(request), context);
  };
  return {
    handler,
    apply,
    applied: (definitions, options) => readJsonAnswer(apply(definitions, options)),
    refused: (definitions, options) => readFailure(apply(definitions, options)),
    exported: () => readJsonAnswer(handler.export({ team }, context)),
  };
};

/** For a team that has the tables of `salesModel` and `openSalesModel` without having defined them. */
export const openSalesClient = (fixture: Fixture, team: string): DefinitionClient =>
  openDefinitionClient(fixture, team, noExternalDatabases, noopTableIndexes, createSalesTables(fixture, team));

export const createSalesTables = ({ pools }: Pick<Fixture, 'pools'>, team: string): Promise<unknown> =>
  runInTenantTransaction(pools.loads, team, async (client) => {
    await client.query(`select knowledge_models.open_team_schema($1, 'sales')`, [team]);
    await client.query(`create table if not exists "${team}.sales".item (no text primary key, amount numeric);
      create table if not exists "${team}.sales"."order" (no text primary key, country text);
      create table if not exists "${team}.sales".lot (no text primary key)`);
  });

const kind = 'KnowledgeModel' as const;

/** A model that others build on, one that does so, and the table of both. */
export const salesModel: KnowledgeModelDefinition = {
  kind,
  id: 'sales',
  name: 'Sales',
  source: { schema: 'sales' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
      ],
    },
  ],
  kpis: [{ id: 'VALUE', expression: 'sum(ITEM.AMOUNT)' }],
};
export const germanyModel: KnowledgeModelDefinition = {
  kind,
  id: 'germany',
  extends: 'sales',
  kpis: [{ id: 'MEAN', expression: 'VALUE / count(ITEM.*)' }],
};
/** Without a policy of its items, which lead to orders that have one. */
export const openSalesModel: KnowledgeModelDefinition = {
  ...salesModel,
  records: [
    ...(salesModel.records ?? []),
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'COUNTRY', column: 'country' },
      ],
    },
  ],
  relationships: [{ from: 'ITEM', to: 'ORDER', on: { NO: 'NO' }, cardinality: 'many-to-one' }],
  policies: [{ record: 'ORDER', rows: 'COUNTRY in caller.countries' }],
};
/** What says so begins with this. */
export const openItemMessage = 'ITEM leads to ORDER, which has a policy, and has none of its own';
export const itemTable: TableDefinition = {
  kind: 'Table',
  schema: 'sales',
  id: 'item',
  primaryKey: ['no'],
  columns: [
    { id: 'no', type: 'string' },
    { id: 'amount', type: 'float' },
  ],
};
