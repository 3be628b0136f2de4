/**
 * What may fail for those who use a model or a table as it was, once it is what it will be: names that are gone or
 * hidden, other types, what can no longer be filtered or sorted by. Told of the whole model, with what it inherits.
 */
import type { PolicyDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { CheckedModel } from '../check-model.js';
import type { FieldModel, FieldOrigin, KnowledgeModel, RecordModel } from '../model/knowledge-model.js';
import type { DocumentChange } from './compare-documents.js';

type SoundModel = Extract<CheckedModel, { readonly ok: true }>;
type Path = readonly string[];

export const findBreakingModelChanges = (before: SoundModel, after: SoundModel): readonly DocumentChange[] => [
  ...before.model.records.flatMap((record) => recordChanges(record, before, after)),
  ...relationshipChanges(before.model, after.model),
  ...before.model.kpis.flatMap(({ id, exact }): readonly DocumentChange[] => {
    const path = ['kpis', id];
    const kpi = after.model.kpiById.get(id);
    if (!kpi) return [removedChange(path)];
    const typeOf = ({ formulas }: SoundModel) => formulas.kpis.get(id)?.formula.type;
    return [
      ...changedWhen(typeOf(before) !== typeOf(after), [...path, 'expression']),
      ...changedWhen(exact !== kpi.exact, [...path, 'exact']),
    ];
  }),
  ...before.model.filters
    .filter(({ id }) => !after.model.filters.some((filter) => filter.id === id))
    .map(({ id }) => removedChange(['filters', id])),
  ...[...newlyHidden(before.model, after.model)].map((record) => changedChange(['policies', record, 'hide'])),
];

/** Of the definition; rows stay as they are until the next load. */
export const findBreakingTableChanges = (before: TableDefinition, after: TableDefinition): readonly DocumentChange[] =>
  before.columns.flatMap((column): readonly DocumentChange[] => {
    const path = ['columns', column.id];
    const other = after.columns.find(({ id }) => id === column.id);
    if (!other) return [removedChange(path)];
    return [
      ...changedWhen(column.type !== other.type, [...path, 'type']),
      ...changedWhen(!mayBeNull(before, column) && mayBeNull(after, other), [...path, 'nullable']),
    ];
  });

type Column = TableDefinition['columns'][number];
/** A column is nullable by default, unless it is part of the key. */
export const mayBeNull = ({ primaryKey }: TableDefinition, { id, nullable }: Column): boolean =>
  nullable ?? !primaryKey?.includes(id);

const recordChanges = (record: RecordModel, before: SoundModel, after: SoundModel): readonly DocumentChange[] => {
  const path = ['records', record.id];
  const other = after.model.recordById.get(record.id);
  if (!other) return [removedChange(path)];
  const typeOf = ({ formulas }: SoundModel, id: string) => formulas.fields.get(record.id)?.get(id)?.type;
  return [
    ...changedWhen(record.identifier.join() !== other.identifier.join(), [...path, 'identifier']),
    ...record.fields.flatMap((field) => {
      const place = [...path, listOf[field.origin.kind], field.id];
      const now = other.fieldById.get(field.id);
      if (!now) return [removedChange(place)];
      return fieldChanges(place, field, now, typeOf(before, field.id) !== typeOf(after, field.id));
    }),
  ];
};

const listOf: Readonly<Record<FieldOrigin['kind'], string>> = {
  attribute: 'attributes',
  augmentedAttribute: 'augmentedAttributes',
  flag: 'flags',
};

const fieldChanges = (
  path: Path,
  before: FieldModel,
  after: FieldModel,
  isRetyped: boolean,
): readonly DocumentChange[] => [
  ...changedWhen(isRetyped, [...path, 'type']),
  ...changedWhen(before.exact !== after.exact, [...path, 'exact']),
  ...changedWhen(before.filterable && !after.filterable, [...path, 'filterable']),
  ...changedWhen(before.sortable && !after.sortable, [...path, 'sortable']),
];

const relationshipChanges = (before: KnowledgeModel, after: KnowledgeModel): readonly DocumentChange[] => {
  const left = new Set(after.relationships.map(relationshipName));
  const gone = new Set(before.relationships.map(relationshipName).filter((name) => !left.has(name)));
  return [...gone].map((name) => removedChange(['relationships', name]));
};

export const relationshipName = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${from}->${to}`;

/** The records of which a field is hidden from somebody who saw it. */
const newlyHidden = (before: KnowledgeModel, after: KnowledgeModel): ReadonlySet<string> => {
  const known = new Set(before.policies.flatMap((policy) => hiddenFieldKeys(policy)));
  const added = after.policies.filter((policy) => hiddenFieldKeys(policy).some((hidden) => !known.has(hidden)));
  return new Set(added.map(({ record }) => record).filter((record) => before.recordById.has(record)));
};

const hiddenFieldKeys = ({ record, hide = [], unless }: PolicyDefinition): readonly string[] =>
  hide.map((field) => JSON.stringify([record, field, unless?.scope]));

const removedChange = (path: Path): DocumentChange => ({ path, change: 'removed' });
const changedChange = (path: Path): DocumentChange => ({ path, change: 'changed' });
const changedWhen = (is: boolean, path: Path): readonly DocumentChange[] => (is ? [changedChange(path)] : []);
