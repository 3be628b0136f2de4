/** What a caller may see: the rows that every active policy lets through, and the names that read no hidden field. */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { Formula } from '../../expression/formula.js';
import { namesIn } from '../../expression/parts-of-formula.js';
import type { QueryCaller } from '../../query/data-query.js';
import { type ConditionScope, isConditionMet, namesInFilter, readFilter } from './evaluate-condition.js';
import type { VisibleRows } from './evaluate-join-paths.js';
import {
  fieldIdsOf,
  type FieldName,
  formulaOfField,
  readFormula,
  recordOf,
  type StoredRow,
  typeOfField,
  valueOfField,
  type World,
} from './sample-world.js';

export type Visible = {
  readonly rows: VisibleRows;
  readonly hasField: (name: FieldName) => boolean;
  readonly hasKpi: (id: string) => boolean;
  readonly hasFilter: (id: string) => boolean;
};

export const visibleTo = (world: World, caller: QueryCaller): Visible => {
  const active = (world.definition.policies ?? []).filter(
    ({ unless }) => unless === undefined || !caller.scopes.includes(unless.scope),
  );
  const hidden = new Set(active.flatMap(({ record, hide = [] }) => hide.map((field) => `${record}.${field}`)));
  const hasField = (name: FieldName): boolean => {
    const known = world.definition.records?.find(({ id }) => id === name.record);
    if (!known || !fieldIdsOf(known).includes(name.field) || hidden.has(`${name.record}.${name.field}`)) return false;
    const formula = formulaOfField(world, name);
    if (formula === undefined) return true;
    return namesIn(readFormula(formula)).every(({ id }) => hasField({ record: name.record, field: id }));
  };
  const hasName = (formula: Formula & { kind: 'name' }): boolean =>
    formula.record === undefined ? hasKpi(formula.id) : hasField({ record: formula.record, field: formula.id });
  const hasKpi = (id: string): boolean => {
    const expression = world.definition.kpis?.find((kpi) => kpi.id === id)?.expression;
    return expression !== undefined && namesIn(readFormula(expression)).every(hasName);
  };
  const hasFilter = (id: string): boolean => {
    const expression = world.definition.filters?.find((filter) => filter.id === id)?.expression;
    return expression !== undefined && namesInFilter(readFilter(expression)).every((name) => hasEither(name));
  };
  const hasEither = (name: string): boolean => (name.includes('.') ? hasField(fieldNamed(name)) : hasKpi(name));
  return { rows: visibleRows(world, active, caller), hasField, hasKpi, hasFilter };
};

/** `RECORD.FIELD`, or a field of `record`. */
export const fieldNamed = (name: string, level = ''): FieldName => {
  const [record = '', field] = name.split('.');
  return field === undefined ? { record: level, field: record } : { record, field };
};

const visibleRows = (world: World, active: readonly PolicyDefinition[], caller: QueryCaller): VisibleRows =>
  new Map(
    (world.definition.records ?? []).map(({ id }) => {
      const policies = active.filter(({ record, rows }) => record === id && rows !== undefined);
      const stored = world.tables.get(recordOf(world, id).table ?? '') ?? [];
      return [
        id,
        stored.filter((row) => policies.every(({ rows = '' }) => isLetThrough(world, id, row, rows, caller))),
      ];
    }),
  );

const isLetThrough = (world: World, record: string, row: StoredRow, text: string, caller: QueryCaller): boolean => {
  const scope: ConditionScope = {
    valueOf: (name) => valueOfField(world, row, fieldNamed(name, record)),
    typeOf: (name) => typeOfField(world, fieldNamed(name, record)),
    attribute: (name) => textsOf(caller.attributes[name]),
  };
  return isConditionMet(readFilter(text), scope);
};

const textsOf = (value: unknown): readonly string[] | undefined => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = values.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return isPlain ? values.map(String) : undefined;
};
