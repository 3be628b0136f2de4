/** What the published knowledge models of a team do with a table of theirs. */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createFaultList } from '@tessera/failures';
import {
  resolveInheritance,
  normaliseModel,
  policyLookupsOf,
  type KnowledgeModel,
  type QueryableModel,
  type RecordModel,
} from '@tessera/knowledge-model';
import type { TableUsage } from './required-indexes.js';

type UsingModel = {
  readonly definition: KnowledgeModelDefinition;
  /** The same as long as neither the model nor a base of it changes. */
  readonly checked: Pick<QueryableModel, 'policies'>;
};

/** By `schema.table`, for each record. */
type ModelUsages = ReadonlyMap<string, readonly TableUsage[]>;

/** A team has hundreds of models and tables, and asks for each table after each load. */
const usagesOfModel = new WeakMap<UsingModel['checked'], ModelUsages>();

/** By the ids of the models. Yields to the event loop after each model that is new. */
export const collectTableUsage = async (
  models: ReadonlyMap<string, UsingModel>,
  schema: string,
  table: string,
): Promise<TableUsage> => {
  const parts: TableUsage[] = [];
  for (const model of models.values()) {
    const { checked } = model;
    const known = usagesOfModel.get(checked);
    const usages = known ?? usagesIn(model, models);
    parts.push(...(usages.get(`${schema}.${table}`) ?? []));
    if (known) continue;
    usagesOfModel.set(checked, usages);
    await eventLoopTurn();
  }
  return {
    identifiers: parts.flatMap(({ identifiers }) => identifiers),
    relationships: parts.flatMap(({ relationships }) => relationships),
    policies: parts.flatMap(({ policies }) => policies),
    searches: parts.flatMap(({ searches }) => searches),
    sorts: parts.flatMap(({ sorts }) => sorts),
    nullable: new Set(parts.flatMap(({ nullable }) => [...nullable])),
  };
};

const usagesIn = (
  { definition: own, checked: { policies } }: UsingModel,
  models: ReadonlyMap<string, UsingModel>,
): ModelUsages => {
  const definitions = new Map([...models].map(([id, { definition }]) => [id, definition]));
  const whole = resolveInheritance(own, definitions, createFaultList('definition'));
  if (!whole?.source || whole.source.database !== undefined) return new Map();
  const { schema } = whole.source;
  const model = normaliseModel(whole);
  const lookups = Map.groupBy(policyLookupsOf({ model, policies }), ({ record }) => record);
  const lookupsOf = (record: RecordModel): TableUsage['policies'] =>
    (lookups.get(record.id) ?? []).map(({ fields }) => columnsOf(record, fields)).filter(isUsed);
  const byTable = Map.groupBy(model.records, (record) => `${schema}.${record.table}`);
  return new Map(
    [...byTable].map(([table, records]) => [
      table,
      records.map((record) => ({ ...usageOf(whole, model, record), policies: lookupsOf(record) })),
    ]),
  );
};

/** Empty when one of the fields is no column. */
const columnsOf = ({ fieldById }: RecordModel, fields: readonly string[]): readonly string[] => {
  const columns = fields.flatMap((field) => {
    const origin = fieldById.get(field)?.origin;
    return origin?.kind === 'attribute' ? [origin.column] : [];
  });
  return columns.length === fields.length ? [...new Set(columns)] : [];
};

const usageOf = (
  whole: KnowledgeModelDefinition,
  model: KnowledgeModel,
  record: RecordModel,
): Omit<TableUsage, 'policies'> => {
  const identifier = columnsOf(record, record.identifier);
  const sides = model.relationships.flatMap(({ from, to, on }) => [
    ...(from === record.id ? [on.map((pair) => pair.from)] : []),
    ...(to === record.id ? [on.map((pair) => pair.to)] : []),
  ]);
  const attributes = whole.records?.find(({ id }) => id === record.id)?.attributes ?? [];
  const sortable = attributes.flatMap((attribute) => (attribute.sortable ? [attribute.id] : []));
  return {
    identifiers: [identifier].filter(isUsed),
    relationships: sides.map((side) => columnsOf(record, side)).filter(isUsed),
    searches: record.fields.flatMap(({ origin }) =>
      origin.kind === 'attribute' && origin.type === 'string' ? [origin.column] : [],
    ),
    sorts: sortable
      .map((field) => columnsOf(record, [field]))
      .filter(isUsed)
      .map((column) => [...new Set([...column, ...identifier])]),
    nullable: new Set(
      record.fields.flatMap(({ origin }) => (origin.kind === 'attribute' && origin.nullable ? [origin.column] : [])),
    ),
  };
};

const isUsed = (columns: readonly string[]): boolean => columns.length > 0;
