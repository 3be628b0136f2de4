/**
 * What a caller may see: the rows that every active policy lets through, with the visible rows that they lead to, and the names that
 * read no hidden field.
 */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { Formula } from '../../expression/formula.js';
import { findNameNodes } from '../../expression/parts-of-formula.js';
import type { QueryCaller } from '../../query/data-query.js';
import { type ConditionScope, isConditionMet, namesInFilter, parseSampleFilter } from './evaluate-condition.js';
import {
  createStartCombinations,
  findJoinSteps,
  hasRow,
  joinRecords,
  readFieldValue,
  type VisibleRows,
  type VisibleWorld,
} from './evaluate-join-paths.js';
import {
  fieldIdsOf,
  type FieldName,
  formulaOfField,
  parseSampleFormula,
  findRecordDefinition,
  type StoredRow,
  typeOfField,
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

const visibleRows = (world: SampleWorld, active: readonly PolicyDefinition[], caller: QueryCaller): VisibleRows => {
  const found = new Map<string, readonly StoredRow[]>();
  const find = (record: string): void => {
    if (found.has(record)) return;
    const texts = active.flatMap((policy) => (policy.record === record && policy.rows ? [policy.rows] : []));
    const others = texts.flatMap((text) => recordsNamedIn(text, record));
    // What is read has to be known before.
    for (const other of others) for (const { to } of findJoinSteps(world, record, other) ?? []) find(to);
    const stored = world.tables.get(findRecordDefinition(world, record).table ?? '') ?? [];
    found.set(
      record,
      stored.filter((row) => texts.every((text) => isLetThrough({ world, rows: found }, record, row, text, caller))),
    );
  };
  for (const { id } of world.definition.records ?? []) find(id);
  return found;
};

/** Whether it names fields of another record than its own. */
export const readsParents = ({ record, rows }: PolicyDefinition): boolean =>
  rows !== undefined && recordsNamedIn(rows, record).length > 0;

/** Beside its own. */
const recordsNamedIn = (text: string, record: string): readonly string[] => {
  const names = namesInFilter(parseSampleFilter(text)).map((name) => toFieldName(name, record).record);
  return [...new Set(names)].filter((name) => name !== record);
};

const isLetThrough = (
  scene: VisibleWorld,
  record: string,
  row: StoredRow,
  text: string,
  caller: QueryCaller,
): boolean => {
  const others = recordsNamedIn(text, record);
  return joinRecords(scene, record, createStartCombinations(row), others).some((combination) => {
    const scope: ConditionScope = {
      valueOf: (name) => readFieldValue(scene, record, combination, toFieldName(name, record)),
      typeOf: (name) => typeOfField(scene.world, toFieldName(name, record)),
      attribute: (name) => textsOf(caller.attributes[name]),
    };
    return (
      others.every((other) => hasRow(scene, record, combination, other)) &&
      isConditionMet(parseSampleFilter(text), scope)
    );
  });
};

const textsOf = (value: unknown): readonly string[] | undefined => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = values.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return isPlain ? values.map(String) : undefined;
};
