/**
 * A model as its caller sees it: without the fields that policies hide, without what reads them, and with the conditions
 * that visible rows match. Never tell what is hidden, except to who explains a query.
 */
import { type Result, succeed } from '@tessera/failures';
import { type DataExpression, type TypedFilter, typeCheckFilter } from '@tessera/filter';
import type { TypedModel } from '../expression/type-model.js';
import type { SlicedWork } from '@tessera/fair-queue';
import { subexpressionsOf, type TypedExpression } from '../expression/typed-expression.js';
import type { ColumnReading, DatabaseReading } from '../model/database-types.js';
import type { KnowledgeModel, RecordModel } from '../model/knowledge-model.js';
import { createToOneLookup } from '../model/to-one-records.js';
import type { QueryCaller, ResolvedQuery } from './data-query.js';
import { refuseQuery, describeUnknownRecord } from './query-fault.js';
import { type ModelNames, createPolicyLookup, type RecordField } from './query-field.js';

export type CallerView = {
  /** Records stay, also those of which every field is hidden; policies are not told. */
  readonly model: KnowledgeModel;
  /** Of everything, since policies, keys and identifiers may be hidden. */
  readonly formulas: TypedModel;
  /**
   * Visible fields, KPIs and filters only. The same object for callers of whom only the rows differ, so that what is made of a
   * model as they see it may be kept by it (WeakMap): a policy by the subject of a token makes a view for each person.
   */
  readonly names: ModelNames;
  /** By record; a row is there when all of them hold. */
  readonly policies: ReadonlyMap<string, readonly ViewPolicy[]>;
  readonly policyTexts: readonly { readonly record: string; readonly rows: string }[];
  /** `record.field`, also what only reads a hidden field. */
  readonly hiddenFields: readonly string[];
  /** The same for all callers. */
  readonly rollups: readonly CheckedRollup[];
  /** How columns of another database are read; absent where fields have all columns as they are. */
  readonly reading?: DatabaseReading;
};

export const columnReadingIn = (
  { model, reading }: Pick<CallerView, 'model' | 'reading'>,
  record: string,
  column: string,
): ColumnReading | undefined => reading?.columns.get(model.recordById.get(record)?.table ?? '')?.get(column);

/** A condition on the rows of a record. */
export type ViewPolicy = {
  readonly filter: TypedFilter<RecordField>;
  /** The records whose fields it names beside its own; the row of each has to be there, and visible. */
  readonly parents: readonly string[];
};

type ActiveRows = { readonly record: string; readonly rows: RowPolicy };

/** Frequent callers share one: see `callerViewCacheKey`. */
export const createCallerView = (checked: QueryableModel, caller: QueryCaller): CallerView => {
  const active = activePolicies(checked, caller);
  const rows = rowsOf(active);
  return {
    ...visiblePartsOf(checked, hiddenBy(active)),
    formulas: checked.formulas,
    policies: typePolicies(checked, rows, caller),
    policyTexts: rows.map(({ record, rows: { text } }) => ({ record, rows: text })),
    rollups: checked.rollups,
  };
};

type VisibleParts = Pick<CallerView, 'model' | 'names' | 'hiddenFields'>;

/** By what policies hide. */
const knownPartsByModel = new WeakMap<QueryableModel, Map<string, VisibleParts>>();
/** Of one model; scopes decide what is hidden. */
const knownPartsMax = 100;

const visiblePartsOf = (checked: QueryableModel, hides: ReadonlySet<string>): VisibleParts => {
  const known = knownPartsByModel.get(checked) ?? new Map<string, VisibleParts>();
  knownPartsByModel.set(checked, known);
  const key = JSON.stringify([...hides].sort());
  const parts = known.get(key) ?? makeVisibleParts(checked, findReaders(checked.readers, hides));
  known.delete(key);
  known.set(key, parts);
  for (const oldest of known.keys()) {
    if (known.size <= knownPartsMax) break;
    known.delete(oldest);
  }
  return parts;
};

const makeVisibleParts = (checked: QueryableModel, hidden: ReadonlySet<string>): VisibleParts => ({
  model: { ...visibleModel(checked, hidden), policies: [] },
  names: visibleNames(checked.names, hidden),
  hiddenFields: [...hidden].filter((name) => name.includes('.')).sort(),
});

/**
 * The same text for callers who see the same of this version of the model: what is hidden, which conditions rows match,
 * and the values of the caller that these compare with.
 */
export const callerViewCacheKey = (checked: QueryableModel, caller: QueryCaller): string => {
  const active = activePolicies(checked, caller);
  const rows = rowsOf(active);
  const attributes = [...new Set(rows.flatMap((policy) => policy.rows.attributes))].sort();
  return JSON.stringify([
    [...hiddenBy(active)].sort(),
    rows.map((policy) => policy.rows.number),
    attributes.map((name) => callerTexts(caller, name) ?? null),
  ]);
};

const activePolicies = ({ policies }: QueryableModel, { scopes }: QueryCaller): readonly CheckedPolicy[] =>
  policies.filter(({ unlessScope }) => unlessScope === undefined || !scopes.includes(unlessScope));

const hiddenBy = (active: readonly CheckedPolicy[]): ReadonlySet<string> =>
  new Set(active.flatMap(({ hides }) => hides));

/** The same condition twice is one; in one order, whatever policies say them. */
const rowsOf = (active: readonly CheckedPolicy[]): readonly ActiveRows[] => {
  const found = new Map<number, ActiveRows>();
  for (const { record, rows } of active) if (rows) found.set(rows.number, { record, rows });
  return [...found.values()].sort((left, right) => left.rows.number - right.rows.number);
};

/** The values of an attribute as texts, each once and in one order; undefined when nothing can be compared with it. */
const callerTexts = ({ attributes }: QueryCaller, name: string): readonly string[] | undefined => {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const texts = (Array.isArray(value) ? value : [value]).map(textOf);
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length ? [...new Set(known)].sort() : undefined;
};

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  const isPlain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? String(value) : undefined;
};

const typePolicies = (
  { model, names }: QueryableModel,
  rows: readonly ActiveRows[],
  caller: QueryCaller,
): CallerView['policies'] => {
  const policies = new Map<string, ViewPolicy[]>();
  const toOneFrom = createToOneLookup(model);
  for (const { record, rows: policy } of rows) {
    const callerValues = (name: string) => callerTexts(caller, name);
    const lookup = createPolicyLookup(names, record, toOneFrom(record));
    const typing = typeCheckFilter(policy.expression, lookup, { callerValues });
    // What was checked has no fault; were there one, nobody would be let in by it.
    const filter = typing.ok ? typing.value : ({ kind: 'constant', value: false } as const);
    policies.set(record, [...(policies.get(record) ?? []), { filter, parents: policy.parents }]);
  }
  return policies;
};

const visibleModel = ({ model, names }: QueryableModel, hidden: ReadonlySet<string>): KnowledgeModel => {
  if (hidden.size === 0) return model;
  const records = model.records.map((record) => visibleRecord(record, hidden));
  const kpis = model.kpis.filter(({ id }) => !hidden.has(id));
  return {
    ...model,
    records,
    recordById: new Map(records.map((record) => [record.id, record])),
    kpis,
    kpiById: new Map(kpis.map((kpi) => [kpi.id, kpi])),
    filters: model.filters.filter(({ id }) => !names.filters.get(id)?.reads.some((name) => hidden.has(name))),
  };
};

const visibleRecord = (record: RecordModel, hidden: ReadonlySet<string>): RecordModel => {
  const fields = record.fields.filter(({ id }) => !hidden.has(`${record.id}.${id}`));
  return fields.length === record.fields.length
    ? record
    : { ...record, fields, fieldById: new Map(fields.map((field) => [field.id, field])) };
};

const visibleNames = (names: ModelNames, hidden: ReadonlySet<string>): ModelNames => {
  if (hidden.size === 0) return names;
  return {
    fields: new Map(
      [...names.fields].map(([record, fields]) => [record, omitEntries(fields, (id) => hidden.has(`${record}.${id}`))]),
    ),
    kpis: omitEntries(names.kpis, (id) => hidden.has(id)),
    filters: omitEntries(names.filters, (_id, { reads }) => reads.some((name) => hidden.has(name))),
  };
};

/** The same map when nothing of it goes. */
const omitEntries = <Value>(
  map: ReadonlyMap<string, Value>,
  isGone: (key: string, value: Value) => boolean,
): ReadonlyMap<string, Value> => {
  const left = [...map].filter(([key, value]) => !isGone(key, value));
  return left.length === map.size ? map : new Map(left);
};

/** `record`: as the caller sees it; at the level of the model when absent. */
export type QueryLevel = { readonly view: CallerView; readonly record?: RecordModel };

export const resolveQueryLevel = (view: CallerView, id: string | undefined): Result<QueryLevel> => {
  if (id === undefined) return succeed({ view });
  const record = findRecord(view, id);
  return record.ok ? succeed({ view, record: record.value }) : record;
};

export const findRecord = ({ model }: CallerView, id: string): Result<RecordModel> => {
  const record = model.recordById.get(id);
  if (record) return succeed(record);
  return refuseQuery({
    code: 'KM_RECORD_NOTFOUND',
    path: 'record',
    rule: 'unknown',
    ...describeUnknownRecord(model, id),
  });
};

/** Field (`RECORD.FIELD`) or KPI -> the fields and KPIs whose own formulas name it. */
export type DependentsByName = ReadonlyMap<string, readonly string[]>;

export function* findDependents({ fields, kpis }: TypedModel): SlicedWork<DependentsByName> {
  const readers = new Map<string, string[]>();
  const note = (expression: TypedExpression) => {
    const reader = nameOf(expression);
    if (reader === undefined) return;
    for (const read of referencedNames(expression)) {
      const known = readers.get(read);
      if (known) known.push(reader);
      else readers.set(read, [reader]);
    }
  };
  const ofFields = [...fields.values()].flatMap((ofRecord) => [...ofRecord.values()]);
  for (const expression of [...ofFields, ...[...kpis.values()].map(({ formula }) => formula)]) {
    note(expression);
    yield;
  }
  return readers;
}

/** What is named in a formula itself, without what that reads in turn. */
const referencedNames = (expression: TypedExpression): ReadonlySet<string> => {
  const names = new Set<string>();
  const collect = (part: TypedExpression): void => {
    const name = nameOf(part);
    if (name === undefined) subexpressionsOf(part).forEach(collect);
    else names.add(name);
  };
  subexpressionsOf(expression).forEach(collect);
  return names;
};

const nameOf = (expression: TypedExpression): string | undefined => {
  if (expression.kind === 'kpi') return expression.id;
  if (expression.kind !== 'column' && expression.kind !== 'derived') return undefined;
  return `${expression.record}.${expression.field}`;
};

/** What is named, and everything that reads it, by whatever way. */
export const findReaders = (readers: DependentsByName, names: Iterable<string>): ReadonlySet<string> => {
  const all = new Set(names);
  for (const name of all) for (const reader of readers.get(name) ?? []) all.add(reader);
  return all;
};

export type RowPolicy = {
  /** The same for the same condition on the same record, whatever policies say it. */
  readonly number: number;
  readonly text: string;
  readonly expression: DataExpression;
  /** The attributes of the caller that it compares with. */
  readonly attributes: readonly string[];
  /** The records whose fields it names beside its own, each once. */
  readonly parents: readonly string[];
  /** These fields, as `RECORD.FIELD`. */
  readonly reads: readonly string[];
};

export type CheckedPolicy = {
  readonly record: string;
  /** A caller with this scope is not restricted. */
  readonly unlessScope?: string;
  /** `RECORD.FIELD`. */
  readonly hides: readonly string[];
  readonly rows?: RowPolicy;
};

export type CheckedRollup = {
  readonly id: string;
  /** What it holds, as a question of somebody who sees everything. */
  readonly query: ResolvedQuery;
};

export type QueryableModel = {
  readonly model: KnowledgeModel;
  readonly formulas: TypedModel;
  readonly names: ModelNames;
  readonly policies: readonly CheckedPolicy[];
  readonly readers: DependentsByName;
  readonly rollups: readonly CheckedRollup[];
};
