/** Conditions of a form and the filter expressions that they are: the form reads what it can write, any other expression stays a text. */
import type { FieldType } from './schema.js';

export const operators = [
  ...(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', 'in'] as const),
  ...(['contains', 'startswith', 'endswith', 'null', 'notNull'] as const),
] as const;
export type Operator = (typeof operators)[number];

export type Condition = {
  /** `RECORD.FIELD`, or a KPI. */
  readonly field: string;
  readonly operator: Operator;
  /** As they are typed: none for `null`, two for `between`, any number for `in`. */
  readonly values: readonly string[];
};

const presence = ['null', 'notNull'] as const;
const ofOrder = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'between', ...presence] as const;

export const operatorsFor = (type: FieldType): readonly Operator[] => {
  switch (type) {
    case 'string':
      return ['eq', 'ne', 'in', 'contains', 'startswith', 'endswith', ...presence];
    case 'boolean':
      return ['eq', ...presence];
    case 'integer':
    case 'float':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
      return ofOrder;
  }
};

/** How many values are typed; undefined for any number. */
export const valueCountOf = (operator: Operator): number | undefined => {
  switch (operator) {
    case 'null':
    case 'notNull':
      return 0;
    case 'between':
      return 2;
    case 'in':
      return undefined;
    default:
      return 1;
  }
};

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const plainLiterals: Readonly<Record<Exclude<FieldType, 'string'>, RegExp>> = {
  integer: /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/,
  float: /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/,
  boolean: /^(?:true|false)$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?$/,
  datetime: /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?)?$/,
  timestamp: /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/,
};

/** A value as a literal. What does not look like its type is a text: the server says what is wrong with it. */
export const printLiteral = (text: string, type: FieldType): string =>
  type !== 'string' && plainLiterals[type].test(text) ? text : quote(text);

export const printCondition = ({ field, operator, values }: Condition, type: FieldType): string => {
  const [first = '', second = ''] = values.map((value) => printLiteral(value, type));
  switch (operator) {
    case 'null':
      return `${field} eq null`;
    case 'notNull':
      return `${field} ne null`;
    case 'between':
      return `${field} ge ${first} and ${field} le ${second}`;
    case 'in':
      return `${field} in (${values
        .filter((value) => value !== '')
        .map((value) => printLiteral(value, type))
        .join(', ')})`;
    case 'contains':
    case 'startswith':
    case 'endswith':
      return `${operator}(${field}, ${quote(values[0] ?? '')})`;
    case 'eq':
    case 'ne':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return `${field} ${operator} ${first}`;
  }
};

const path = String.raw`([\p{L}_][\p{L}\p{M}\p{N}_.-]*)`;
const literal = String.raw`('(?:[^']|'')*'|[^\s,()']+)`;
const comparePattern = new RegExp(`^${path}\\s+(eq|ne|gt|ge|lt|le)\\s+${literal}$`, 'u');
const betweenPattern = new RegExp(`^${path}\\s+ge\\s+${literal}\\s+and\\s+${path}\\s+le\\s+${literal}$`, 'u');
const listPattern = new RegExp(`^${path}\\s+in\\s*\\(\\s*(${literal}(?:\\s*,\\s*${literal})*)\\s*\\)$`, 'u');
const matchPattern = new RegExp(`^(contains|startswith|endswith)\\(\\s*${path}\\s*,\\s*('(?:[^']|'')*')\\s*\\)$`, 'u');

const unquote = (text: string): string => (text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text);
const isOperator = (text: string): text is Operator => operators.some((operator) => operator === text);

/** Undefined for an expression that no form has. */
export const parseCondition = (expression: string): Condition | undefined => {
  const text = expression.trim();
  const [, field = '', compared = '', value = ''] = comparePattern.exec(text) ?? [];
  if (value === 'null')
    return compared === 'eq' || compared === 'ne'
      ? { field, operator: compared === 'eq' ? 'null' : 'notNull', values: [] }
      : undefined;
  if (isOperator(compared)) return { field, operator: compared, values: [unquote(value)] };
  const [, one = '', from = '', other = '', to = ''] = betweenPattern.exec(text) ?? [];
  if (one !== '' && one === other) return { field: one, operator: 'between', values: [unquote(from), unquote(to)] };
  const [, listed = '', list = ''] = listPattern.exec(text) ?? [];
  if (listed !== '')
    return {
      ...{ field: listed, operator: 'in' },
      values: (list.match(new RegExp(literal, 'gu')) ?? []).map(unquote),
    };
  const [, operator = '', matched = '', part = ''] = matchPattern.exec(text) ?? [];
  return isOperator(operator) ? { field: matched, operator, values: [unquote(part)] } : undefined;
};

/** What stands outside of quotes, piece by piece, as `change` makes it. */
export const outsideQuotes = (expression: string, change: (piece: string) => string): string =>
  expression
    .split(/('(?:[^']|'')*')/)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : piece))
    .join('');

/** The names that an expression may mean; words of the language and values are among them. */
export const namesIn = (expression: string): readonly string[] => {
  const names: string[] = [];
  outsideQuotes(expression, (piece) => {
    names.push(...(piece.match(/[\p{L}_][\p{L}\p{M}\p{N}_.-]*/gu) ?? []));
    return piece;
  });
  return names;
};

/** What stands in the editor of a condition. Nothing of it is lost when the way of writing changes. */
export type ConditionDraft = Condition & {
  readonly mode: 'form' | 'text';
  readonly text: string;
};

export const emptyDraft: ConditionDraft = { mode: 'form', text: '', field: '', operator: 'eq', values: [''] };

export const draftOf = (expression: string): ConditionDraft => {
  const condition = parseCondition(expression);
  return condition === undefined
    ? { ...emptyDraft, mode: 'text', text: expression }
    : { ...condition, mode: 'form', text: expression };
};

export const expressionOf = (draft: ConditionDraft, type: FieldType): string =>
  draft.mode === 'text' ? draft.text.trim() : printCondition(draft, type);

/** Whether there is something to ask by. */
export const isComplete = ({ mode, text, field, operator, values }: ConditionDraft, type: FieldType): boolean => {
  if (mode === 'text') return text.trim() !== '';
  const count = valueCountOf(operator) ?? 1;
  const filled = values.filter((value) => value !== '').length;
  return field !== '' && (type === 'string' && operator !== 'in' ? true : filled >= count);
};

/** By form or by text: what was written one way is there in the other, as far as it can be. */
export const switchMode = (draft: ConditionDraft, type: FieldType): ConditionDraft => {
  if (draft.mode === 'text') {
    const { field, operator, values } = parseCondition(draft.text) ?? emptyDraft;
    return { ...draft, field, operator, values, mode: 'form' };
  }
  const isUntouched = draft.field === '';
  return { ...draft, mode: 'text', text: isUntouched ? draft.text : printCondition(draft, type) };
};
