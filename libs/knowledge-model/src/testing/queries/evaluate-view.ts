/** What a caller may see: the rows that every active policy lets through, and the names that read no hidden field. */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { Formula } from '../../expression/formula.js';
import { findNameNodes } from '../../expression/parts-of-formula.js';
import type { QueryCaller } from '../../query/data-query.js';
import { type ConditionScope, isConditionMet, namesInFilter, parseSampleFilter } from './evaluate-condition.js';
import type { VisibleRows } from './evaluate-join-paths.js';
import {
  fieldIdsOf,
  type FieldName,
  formulaOfField,
  parseSampleFormula,
  findRecordDefinition,
  type StoredRow,
  typeOfField,
  valueOfField,
  type SampleWorld,
} from './sample-world.js';

export type VisibleData = {
  readonly rows: VisibleRows;
  readonly hasField: (name: FieldName) => boolean;
  readonly hasKpi: (id: string) => boolean;
  readonly hasFilter: (id: string) => boolean;
};

export const visibleDataFor = (world: SampleWorld, caller: QueryCaller): VisibleData => {
  const active = (world.definition.policies ?? []).filter(
    ({ unless }) => unless === undefined || !caller.scopes.includes(unless.scope),
  );
  const hidden = new Set(active.flatMap(({ record, hide = [] }) => hide.map((field) => `${record}.${field}`)));
  const hasField = (name: FieldName): boolean => {
    const known = world.definition.records?.find(({ id }) => id === name.record);
    if (!known || !fieldIdsOf(known).includes(name.field) || hidden.has(`${name.record}.${name.field}`)) return false;
    const formula = formulaOfField(world, name);
    if (formula === undefined) return true;
    return findNameNodes(parseSampleFormula(formula)).every(({ id }) => hasField({ record: name.record, field: id }));
  };
  const hasName = (formula: Formula & { kind: 'name' }): boolean =>
    formula.record === undefined ? hasKpi(formula.id) : hasField({ record: formula.record, field: formula.id });
  const hasKpi = (id: string): boolean => {
    const expression = world.definition.kpis?.find((kpi) => kpi.id === id)?.expression;
    return expression !== undefined && findNameNodes(parseSampleFormula(expression)).every(hasName);
  };
  const hasFilter = (id: string): boolean => {
    const expression = world.definition.filters?.find((filter) => filter.id === id)?.expression;
    return expression !== undefined && namesInFilter(parseSampleFilter(expression)).every((name) => hasEither(name));
  };
  const hasEither = (name: string): boolean => (name.includes('.') ? hasField(toFieldName(name)) : hasKpi(name));
  return { rows: visibleRows(world, active, caller), hasField, hasKpi, hasFilter };
};

/** `RECORD.FIELD`, or a field of `record`. */
export const toFieldName = (name: string, level = ''): FieldName => {
  const [record = '', field] = name.split('.');
  return field === undefined ? { record: level, field: record } : { record, field };
};

const visibleRows = (world: SampleWorld, active: readonly PolicyDefinition[], caller: QueryCaller): VisibleRows =>
  new Map(
    (world.definition.records ?? []).map(({ id }) => {
      const policies = active.filter(({ record, rows }) => record === id && rows !== undefined);
      const stored = world.tables.get(findRecordDefinition(world, id).table ?? '') ?? [];
      return [
        id,
        stored.filter((row) => policies.every(({ rows = '' }) => isLetThrough(world, id, row, rows, caller))),
      ];
    }),
  );

const isLetThrough = (
  world: SampleWorld,
  record: string,
  row: StoredRow,
  text: string,
  caller: QueryCaller,
): boolean => {
  const scope: ConditionScope = {
    valueOf: (name) => valueOfField(world, row, toFieldName(name, record)),
    typeOf: (name) => typeOfField(world, toFieldName(name, record)),
    attribute: (name) => textsOf(caller.attributes[name]),
  };
  return isConditionMet(parseSampleFilter(text), scope);
};

const textsOf = (value: unknown): readonly string[] | undefined => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = values.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return isPlain ? values.map(String) : undefined;
};
