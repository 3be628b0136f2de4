/**
 * Filters taken apart where `and` joins them, into conditions on rows and conditions on groups; and the names in them.
 */
import {
  type DataExpression,
  type DataField,
  type DataLiteral,
  type DataValue,
  type FieldDeclaration,
  type FieldLookup,
  type ExpressionFault,
  type RelatedRange,
  type TypedFilter,
  typeCheckFilter,
} from '@tessera/filter';
import {
  type SplitConditions,
  isRecordField,
  type QueryField,
  type RecordField,
  recordsOfField,
} from './query-field.js';
import { parentRangeOfKey, recordOfRangeKey } from './related-range.js';

type TypedConditions =
  | { readonly ok: true; readonly value: SplitConditions }
  | { readonly ok: false; readonly faults: readonly ExpressionFault[] };

/** `kpis`: whether a condition may name one. */
export const typeCheckConditions = (
  expression: DataExpression,
  lookup: FieldLookup<QueryField>,
  kpis: boolean,
): TypedConditions => {
  const rows: TypedFilter<RecordField>[] = [];
  const groups: TypedFilter<QueryField>[] = [];
  const besideKpis: string[] = [];
  const faults: ExpressionFault[] = [];
  for (const part of conjunctsOf(expression)) {
    const typing = typeCheckFilter(part, lookup, { kpis });
    // By its text, since what a condition names is gone where nothing can fulfil it.
    if (!typing.ok) faults.push(...typing.faults);
    else if (isOfRows(typing.value) && !namesKpi(part, lookup)) rows.push(typing.value);
    else {
      groups.push(typing.value);
      besideKpis.push(...fieldNamesIn(part, lookup));
    }
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: { rows, groups, besideKpis } };
};

const conjunctsOf = (expression: DataExpression): readonly DataExpression[] =>
  expression.kind === 'and' ? expression.operands.flatMap(conjunctsOf) : [expression];

const isOfRows = (filter: TypedFilter<QueryField>): filter is TypedFilter<RecordField> =>
  fieldsOfFilter(filter).every(isRecordField);

const namesKpi = (expression: DataExpression, lookup: FieldLookup<QueryField>): boolean =>
  fieldsNamedIn(expression).some(({ name }) => lookup.get(name)?.isKpi === true);

const fieldNamesIn = (expression: DataExpression, lookup: FieldLookup<QueryField>): readonly string[] =>
  fieldsNamedIn(expression).flatMap(({ name }) => (lookup.get(name)?.isKpi === false ? [name] : []));

/** As they were written, in their order. */
export const fieldsNamedIn = (expression: DataExpression): readonly DataField[] => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.operands.flatMap(fieldsNamedIn);
    case 'not':
      return fieldsNamedIn(expression.operand);
    case 'compare':
    case 'in':
    case 'match':
      return expression.field.value ? fieldsOfValue(expression.field.value) : [expression.field];
    case 'any':
      return expression.operand ? fieldsNamedIn(expression.operand) : [];
  }
};

/** The fields that it names, as often as it does. */
export const fieldsOfValue = (value: DataValue): readonly DataField[] => {
  switch (value.kind) {
    case 'literal':
    case 'count':
      return [];
    case 'field':
      return [{ name: value.name, applied: [], start: value.start, end: value.end }];
    case 'negate':
      return fieldsOfValue(value.operand);
    case 'arithmetic':
    case 'comparison':
      return [...fieldsOfValue(value.left), ...fieldsOfValue(value.right)];
    case 'call':
      return value.arguments.flatMap(fieldsOfValue);
  }
};

/** What its conditions name. */
export const fieldsOfFilter = <Field extends FieldDeclaration>(filter: TypedFilter<Field>): readonly Field[] => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap((operand) => fieldsOfFilter(operand));
    case 'not':
      return fieldsOfFilter(filter.operand);
    case 'constant':
      return filter.operand ? [filter.operand.field] : [];
    case 'isNull':
    case 'compare':
    case 'in':
    case 'like':
    case 'match':
      return [filter.operand.field];
    case 'any':
      return filter.condition ? fieldsOfFilter(filter.condition) : [];
  }
};

/** The records whose rows a condition looks through by itself, or looks up beside these, as often as it does. */
export const recordsInRelatedRanges = (filter: TypedFilter<RecordField>): readonly string[] => [
  ...relatedRangesIn(filter).map(({ key }) => recordOfRangeKey(key)),
  ...fieldsOfFilter(filter).flatMap(({ counted = [] }) => counted.map(recordOfRangeKey)),
  ...fieldsOfFilter(filter)
    .flatMap(recordsOfField)
    .flatMap((key) => (parentRangeOfKey(key) === undefined ? [] : [recordOfRangeKey(key)])),
];

export const relatedRangesIn = (filter: TypedFilter<RecordField>): readonly RelatedRange[] => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(relatedRangesIn);
    case 'not':
      return relatedRangesIn(filter.operand);
    case 'any':
      return [filter.range, ...(filter.condition ? relatedRangesIn(filter.condition) : [])];
    default:
      return [];
  }
};

/** The attributes of the caller that are compared with, each once. */
export const callerAttributesIn = (expression: DataExpression): readonly string[] => [
  ...new Set(literalsIn(expression).flatMap(({ kind, text }) => (kind === 'caller' ? [text] : []))),
];

/** Strings without quotes. */
export const wordsIn = (expression: DataExpression): readonly DataLiteral[] =>
  literalsIn(expression).filter(({ kind }) => kind === 'word');

const literalsIn = (expression: DataExpression): readonly DataLiteral[] => {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.operands.flatMap(literalsIn);
    case 'not':
      return literalsIn(expression.operand);
    case 'compare':
    case 'match':
      return [...literalsOfValue(expression.field.value), expression.literal];
    case 'in':
      return [...literalsOfValue(expression.field.value), ...expression.literals];
    case 'any':
      return expression.operand ? literalsIn(expression.operand) : [];
  }
};

const literalsOfValue = (value: DataValue | undefined): readonly DataLiteral[] => {
  switch (value?.kind) {
    case undefined:
    case 'field':
    case 'count':
      return [];
    case 'literal':
      return [value.literal];
    case 'negate':
      return literalsOfValue(value.operand);
    case 'arithmetic':
    case 'comparison':
      return [...literalsOfValue(value.left), ...literalsOfValue(value.right)];
    case 'call':
      return value.arguments.flatMap(literalsOfValue);
  }
};
