/** All formulas of a model, typed, each after those that it names; every fault of every formula at once. */
import type { ExpressionFault } from '@tessera/filter';
import { findNearestName, maxNameSuggestions } from '@tessera/failures';
import type { SlicedWork } from '@tessera/fair-queue';
import type { KnowledgeModel, KpiModel } from '../model/knowledge-model.js';
import { createToOneLookup, type FindToOneRecords } from '../model/to-one-records.js';
import { checkFormula } from './check-formula.js';
import type { FormulaName, FormulaScope, NameResolution } from './check-context.js';
import type { Formula } from './formula.js';
import { type FormulaLimits, parseFormula, standardFormulaLimits } from './parse-formula.js';
import { sortTopologically } from './topological-order.js';
import { findNameNodes } from './parts-of-formula.js';
import { parseKpiParameter } from './read-parameter.js';
import {
  type FormulaType,
  referencedRecords,
  createTypedExpression,
  type TypedExpression,
} from './typed-expression.js';

export type TypedKpi = {
  readonly formula: TypedExpression;
  /** The records that its aggregates read: its grain. */
  readonly records: readonly string[];
};

export type TypedModel = {
  /** Record -> field -> what reads it: a column, or a formula over columns. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, TypedExpression>>;
  readonly kpis: ReadonlyMap<string, TypedKpi>;
};

/** Where the model says it: members by name, entries by id. */
export type ReportFault = (steps: readonly string[], fault: ExpressionFault) => void;

/** A formula of the model; its key is what other formulas call it. */
type Unit = {
  readonly key: string;
  readonly steps: readonly string[];
  readonly text: string;
  readonly wanted?: FormulaType;
} & ({ readonly record: string; readonly field: string } | { readonly kpi: KpiModel });

type Typing = {
  readonly model: KnowledgeModel;
  readonly limits: FormulaLimits;
  readonly note: ReportFault;
  readonly units: ReadonlyMap<string, Unit>;
  /** Unknown names for which the nearest was looked for. */
  guesses: number;
  /** By key; undefined when it has faults. */
  readonly known: Map<string, TypedExpression | undefined>;
  readonly toOneRecords: FindToOneRecords;
};

export function* typeCheckModel(
  model: KnowledgeModel,
  note: ReportFault,
  limits: FormulaLimits = standardFormulaLimits,
): SlicedWork<TypedModel> {
  const units = new Map(formulaEntriesOf(model).map((unit) => [unit.key, unit]));
  const typing: Typing = {
    model,
    limits,
    note,
    units,
    guesses: 0,
    known: columnsOf(model),
    toOneRecords: createToOneLookup(model),
  };
  yield;
  const parsed = new Map<string, Formula | undefined>();
  for (const unit of units.values()) {
    parsed.set(unit.key, parseUnit(typing, unit));
    yield;
  }
  const needs = new Map([...parsed].map(([key, formula]) => [key, dependenciesOf(units, key, formula)]));
  const { order, circles, tooLong } = sortTopologically(needs);
  for (const circle of circles) {
    const message = `This formula names itself: ${[...circle, circle[0]].join(' -> ')}.`;
    noteAt(typing, circle[0], { position: 0, rule: 'circle', message });
  }
  for (const key of tooLong)
    noteAt(typing, key, {
      position: 0,
      rule: 'chainMax',
      message: 'This formula names formulas that name others, too many in a row.',
    });
  const ordered = new Set(order);
  for (const key of units.keys()) if (!ordered.has(key)) typing.known.set(key, undefined);
  for (const key of order) {
    typing.known.set(key, typeUnit(typing, units.get(key), parsed.get(key)));
    yield;
  }
  yield;
  return typedModel(typing);
}

const noteAt = ({ units, note }: Typing, key: string | undefined, fault: ExpressionFault): void => {
  const unit = key === undefined ? undefined : units.get(key);
  if (unit) note([...unit.steps, 'expression'], fault);
};

const formulaEntriesOf = (model: KnowledgeModel): readonly Unit[] => [
  ...model.records.flatMap((record) =>
    record.fields.flatMap(({ id, origin }): readonly Unit[] => {
      if (origin.kind === 'attribute') return [];
      const wanted = origin.kind === 'flag' ? 'boolean' : origin.type;
      const list = origin.kind === 'flag' ? 'flags' : 'augmentedAttributes';
      const steps = ['records', record.id, list, id];
      const place = { key: keyOf(record.id, id), steps, record: record.id, field: id };
      return [{ ...place, text: origin.expression, ...(wanted && { wanted }) }];
    }),
  ),
  ...model.kpis.map((kpi) => ({ key: kpi.id, steps: ['kpis', kpi.id], text: kpi.expression, kpi })),
];

/** Ids hold no dot, so fields and KPIs cannot have the same key. */
const keyOf = (record: string, field: string): string => `${record}.${field}`;

const columnsOf = (model: KnowledgeModel): Map<string, TypedExpression> =>
  new Map(
    model.records.flatMap((record) =>
      record.fields.flatMap(({ id, origin }) =>
        origin.kind === 'attribute'
          ? [
              [
                keyOf(record.id, id),
                createTypedExpression(
                  { kind: 'column', record: record.id, field: id, column: origin.column },
                  origin.type,
                  origin.nullable,
                  [],
                ),
              ] as const,
            ]
          : [],
      ),
    ),
  );

const parseUnit = (typing: Typing, unit: Unit): Formula | undefined => {
  // That it is missing is a fault of the definition, noted there.
  if (unit.text === '') return undefined;
  const parsing = parseFormula(unit.text, typing.limits);
  if (parsing.ok) return parsing.value;
  noteAt(typing, unit.key, parsing.fault);
  return undefined;
};

const dependenciesOf = (
  units: ReadonlyMap<string, Unit>,
  key: string,
  formula: Formula | undefined,
): readonly string[] => {
  const unit = units.get(key);
  const record = unit && 'record' in unit ? unit.record : undefined;
  const keys = findNameNodes(formula).map((name) => qualifiedName(record, name));
  return [...new Set(keys)].filter((needed) => units.has(needed));
};

/** In the formula of a record's field, a name alone is a field of the record. */
const qualifiedName = (record: string | undefined, { record: written, id }: FormulaName): string => {
  const of = written ?? record;
  return of === undefined ? id : keyOf(of, id);
};

const typeUnit = (
  typing: Typing,
  unit: Unit | undefined,
  formula: Formula | undefined,
): TypedExpression | undefined => {
  if (!unit || !formula) return undefined;
  const scope = 'kpi' in unit ? kpiScope(typing, unit.kpi) : fieldScope(typing, unit.record);
  const result = checkFormula(formula, scope, typing.limits.weightMax);
  if (!result.ok) {
    for (const fault of result.faults) noteAt(typing, unit.key, fault);
    return undefined;
  }
  const { value } = result;
  const wanted = unit.wanted ?? value.type;
  if (value.type !== wanted && !(value.type === 'integer' && wanted === 'float')) {
    const what = 'record' in unit ? unit.field : unit.key;
    const message = `${what} is of type ${wanted}, but this formula gives ${value.type}.`;
    noteAt(typing, unit.key, { position: 0, rule: 'type', message });
    return undefined;
  }
  const node =
    'kpi' in unit
      ? { kind: 'kpi' as const, id: unit.key, formula: value }
      : { kind: 'derived' as const, record: unit.record, field: unit.field, formula: value };
  return createTypedExpression(node, wanted, value.nullable, [value]);
};

const fieldScope = (typing: Typing, record: string): FormulaScope => ({
  records: [],
  parameters: new Map(),
  aggregates: false,
  toOneRecords: typing.toOneRecords,
  meaningOf: (name) => {
    const of = name.record ?? record;
    if (of !== record)
      return unknownName(typing, `A formula of ${record} reads fields of ${record} only, not of "${of}".`, of, [
        record,
      ]);
    const fields = typing.model.recordById.get(record)?.fields ?? [];
    return (
      meaningOf(typing, keyOf(record, name.id)) ??
      unknownName(
        typing,
        `Unknown field "${name.id}" of ${record}.`,
        name.id,
        fields.map(({ id }) => id),
      )
    );
  },
});

const kpiScope = (typing: Typing, kpi: KpiModel): FormulaScope => {
  const { records, recordById, kpis } = typing.model;
  return {
    records: records.map(({ id }) => id),
    parameters: new Map(kpi.parameters.map((parameter) => [parameter.id, parseKpiParameter(parameter)])),
    aggregates: true,
    toOneRecords: typing.toOneRecords,
    meaningOf: (name) => {
      const found = meaningOf(typing, qualifiedName(undefined, name));
      if (found) return found;
      if (name.record === undefined) {
        const owners = records.filter(({ fieldById }) => fieldById.has(name.id)).map(({ id }) => keyOf(id, name.id));
        const hint = owners.length > 0 ? ` The field is written ${owners.slice(0, 3).join(' or ')}.` : '';
        return unknownName(
          typing,
          `Unknown KPI "${name.id}".${hint}`,
          name.id,
          owners.length > 0 ? [] : kpis.map(({ id }) => id),
        );
      }
      const record = recordById.get(name.record);
      return record
        ? unknownName(
            typing,
            `Unknown field "${name.id}" of ${record.id}.`,
            name.id,
            record.fields.map(({ id }) => id),
          )
        : unknownName(
            typing,
            `Unknown record "${name.record}".`,
            name.record,
            records.map(({ id }) => id),
          );
    },
  };
};

const meaningOf = ({ known }: Typing, key: string): NameResolution | undefined => {
  const expression = known.get(key);
  if (expression) return { kind: 'found', expression };
  return known.has(key) ? { kind: 'faulty' } : undefined;
};

const unknownName = (typing: Typing, message: string, name: string, candidates: readonly string[]): NameResolution => {
  const suggestion = typing.guesses++ < maxNameSuggestions ? findNearestName(name, candidates) : undefined;
  return { kind: 'unknown', message, ...(suggestion !== undefined && { suggestion }) };
};

const typedModel = ({ model, known }: Typing): TypedModel => ({
  fields: new Map(
    model.records.map((record) => [
      record.id,
      new Map(
        record.fields.flatMap(({ id }) => {
          const expression = known.get(keyOf(record.id, id));
          return expression ? [[id, expression] as const] : [];
        }),
      ),
    ]),
  ),
  kpis: new Map(
    model.kpis.flatMap(({ id }) => {
      const expression = known.get(id);
      return expression ? [[id, { formula: expression, records: referencedRecords(expression) }] as const] : [];
    }),
  ),
});
