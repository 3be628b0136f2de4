/**
 * The policies of a record: what holds for its rows, and which rows these lead to have to be there for it. The policies of those
 * rows hold as well, and so on; models in which that never ends are refused (policy-paths.ts).
 */
import type { CallerView, ViewPolicy } from '../query/caller-view.js';
import { findJoinPath, type JoinStep } from './join-paths.js';
import type { JoinedRecord, PlannedRecord } from './query-plan.js';

/** Rows of a record with what its policies look at, under names that no record and no other join has. */
export const planRecord = (view: CallerView, record: string, alias: string, depth = 1): PlannedRecord => {
  const policies = view.policies.get(record) ?? [];
  const own = policies.flatMap(({ filter, parents }) => (parents.length === 0 ? [filter] : []));
  const reading = policies.filter(({ parents }) => parents.length > 0);
  if (reading.length === 0) return { record, alias, policies: own };
  const joins = new Map<string, JoinedRecord>();
  const places = new Map([[record, alias]]);
  for (const { record: parent, steps } of policyPathsOf(view, record, reading)) {
    let [way, place] = ['', alias];
    for (const step of steps) {
      way += step.id;
      const known = joins.get(way) ?? {
        ...planRecord(view, step.to, `policy ${depth}.${joins.size + 1}`, depth + 1),
        parent: place,
        on: step.on,
        isToMany: false,
        isOptional: false,
      };
      joins.set(way, known);
      place = known.alias;
    }
    places.set(parent, place);
  }
  const filters = reading.map(({ filter }) => filter);
  return { record, alias, policies: own, parents: { records: [...joins.values()], filters, places } };
};

/**
 * Whether joining the rows that its policies look at adds no row: each step, also of the policies of these rows, leads to the
 * identifier of its record. Another key may be that of several rows, whatever the cardinality says.
 */
export const leadsToIdentifiers = (view: CallerView, { parents }: PlannedRecord): boolean =>
  (parents?.records ?? []).every((parent) => {
    const identifier = view.model.recordById.get(parent.record)?.identifier ?? [];
    return identifier.every((id) => parent.on.some(({ to }) => to === id)) && leadsToIdentifiers(view, parent);
  });

/** Where a page behind a row begins, by a column of the record. */
type PageBegin = { readonly column: string; readonly value: string; readonly descending: boolean };

/**
 * The same on a page behind a row: where rows are ordered by the column by which they find a row that they lead to, the key of
 * that row is bounded as the column is. PostgreSQL would merge both from their beginnings. Only in tables of the platform: those
 * of another database may compare both in different ways.
 */
export const withKeyBound = (view: CallerView, root: PlannedRecord, begin: PageBegin): PlannedRecord => {
  if (!root.parents || view.model.source.database !== undefined) return root;
  const { column, value, descending } = begin;
  const columnOf = (attribute: string): string | undefined => {
    const expression = view.formulas.fields.get(root.record)?.get(attribute);
    return expression?.kind === 'column' ? expression.column : undefined;
  };
  for (const { record, alias, parent, on } of root.parents.records) {
    const pair = parent === root.alias ? on.find(({ from }) => columnOf(from) === column) : undefined;
    if (pair)
      return { ...root, parents: { ...root.parents, bound: { alias, record, attribute: pair.to, value, descending } } };
  }
  return root;
};

type PolicyPath = { readonly record: string; readonly steps: readonly JoinStep[] };

/** To each record that the policies name beside their own. */
export const policyPathsOf = (
  { model }: Pick<CallerView, 'model'>,
  record: string,
  policies: readonly Pick<ViewPolicy, 'parents'>[],
): readonly PolicyPath[] =>
  [...new Set(policies.flatMap(({ parents }) => parents))].map((parent) => ({
    record: parent,
    steps: findJoinPath(model.relationships, record, parent) ?? [],
  }));
