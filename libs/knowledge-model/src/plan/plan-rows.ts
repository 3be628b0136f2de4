/**
 * A question without KPIs: rows of one record, the root, and what is joined to them.
 * Refuses: unrelated records (KM_JOIN_NOTFOUND), and a place in another order (GENERAL_PARAMETER_ILLEGAL).
 */
import { type Result, succeed } from '@tessera/failures';
import { valueTypeOf } from '../query/name-fields.js';
import type { AskedField } from '../query/query-field.js';
import type { ResolvedQuery } from '../query/resolved-query.js';
import { collationOf, columnOrder, planOrder, type TieBreak } from './plan-order.js';
import { placesOf, planRowsPage } from './plan-place.js';
import { planRelated } from './plan-related.js';
import { planSource } from './plan-source.js';
import type { RowSource, RowsPlan } from './query-plan.js';
import { rowConditions } from './row-condition.js';
import { leadsToOne, joinPathBetween } from './join-paths.js';

export const planRows = (query: ResolvedQuery, fields: readonly AskedField[]): Result<RowsPlan> => {
  const { view } = query;
  const asked = [...new Set(fields.map(({ record }) => record))];
  const root = query.record ?? rootOf(query, asked);
  const related = planRelated(view, root, query.record === undefined ? [] : asked, fields);
  if (!related.ok) return related;
  const conditions = rowConditions(query);
  const source = planSource(view, root, asked, conditions);
  if (!source.ok) return source;
  const multiplied = asked.filter((record) => !leadsToOne(joinPathBetween(view.model.relationships, root, record)));
  const counted = planSource(view, root, multiplied, conditions);
  if (!counted.ok) return counted;
  const identity = identityOf(query, source.value, fields);
  const distinct = query.distinct && identity.some(({ by }) => by.kind === 'attribute');
  const ties = query.distinct
    ? fields.map((field, column) => columnOrder(column, isNullable(source.value, field)))
    : identity;
  const order = planOrder(query.sort, (column) => isNullable(source.value, fields[column]), ties);
  const page = planRowsPage(query, order, fields);
  if (!page.ok) return page;
  return succeed({
    kind: 'rows',
    view,
    source: source.value,
    columns: related.value.columns.map((field, column) => {
      const isOrdered = order.some(({ by }) => by.kind === 'position' && by.position === column + 1);
      const collation = isOrdered ? collationOf(view, field.expression) : undefined;
      return { asked: field, ...(collation && { collation }) };
    }),
    distinct,
    order,
    related: related.value.places,
    places: query.keyset ? placesOf(order, related.value.columns) : [],
    page: page.value,
    countSource: distinct ? source.value : counted.value,
  });
};

/** The first from which every other is one row away, else the first of all. */
const rootOf = ({ view }: ResolvedQuery, records: readonly string[]): string => {
  const { relationships } = view.model;
  const isRoot = (from: string): boolean => records.every((to) => leadsToOne(joinPathBetween(relationships, from, to)));
  const root = records.find(isRoot) ?? records[0];
  if (root === undefined) throw new Error('A question without KPIs asks for a field at least.');
  return root;
};

export const isNullable = ({ root, places }: RowSource, field: AskedField | undefined): boolean =>
  field === undefined || field.expression.nullable || places.get(field.record) !== root.alias;

/** The identifiers of the root and of every record that multiplied it. */
const identityOf = (
  { view }: ResolvedQuery,
  { root, joins, places }: RowSource,
  fields: readonly AskedField[],
): readonly TieBreak[] =>
  [root, ...joins.filter(({ isToMany }) => isToMany)].flatMap(({ record, alias }) => {
    const identifier = view.formulas.fields.get(record);
    const nullable = alias !== root.alias;
    return (view.model.recordById.get(record)?.identifier ?? []).flatMap((id): readonly TieBreak[] => {
      const column = fields.findIndex((field) => field.record === record && field.field === id);
      if (column >= 0 && places.get(record) === alias) return [columnOrder(column, nullable)];
      const attribute = identifier?.get(id);
      const type = attribute && valueTypeOf(attribute.type);
      if (attribute?.kind !== 'column' || !type) return [];
      const collation = collationOf(view, attribute);
      const { column: name } = attribute;
      const by = { kind: 'attribute' as const, alias, column: name, type, ...(collation && { collation }) };
      return [{ by, nullable: nullable || attribute.nullable }];
    });
  });
