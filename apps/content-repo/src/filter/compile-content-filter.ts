/** The text of `$filter` -> a condition over `m` (rendition), `v` (its version) and `e` (its element). */
import type { FacetModel, StorageModel } from '@tessera/content-model';
import { fail, type Fault, type Result, succeed } from '@tessera/failures';
import {
  type FilterExpression,
  type ExpressionFault,
  type FilterField,
  type FilterLiteral,
  parseContentFilter,
} from '@tessera/filter';
import { allOf, anyOf, negation, type SqlExpression } from '@tessera/sql';
import { compileAttributeCondition, compileColumnCondition, type AttributePredicate } from './attribute-condition.js';
import { type AttributeField, type ResolvedField, resolveField } from './filter-field.js';
import { booleanOfLiteral, numberOfLiteral, textOfLiteral, timeSpanOfLiteral } from './filter-operand.js';

/** Names mean attributes of the types of the facet; of all types when there is none. */
export const compileContentFilter = (text: string, model: StorageModel, facet?: FacetModel): Result<SqlExpression> => {
  const parsed = parseContentFilter(text);
  if (!parsed.ok) return refuseFilter(parsed.fault);
  const compiled = compileExpression(parsed.value, (field) => resolveField(field, model, facet));
  return 'rule' in compiled ? refuseFilter(compiled) : succeed(compiled);
};

type CompiledFilter = SqlExpression | ExpressionFault;
type Resolve = (field: FilterField) => ResolvedField | ExpressionFault;

const compileExpression = (expression: FilterExpression, resolve: Resolve): CompiledFilter => {
  switch (expression.kind) {
    case 'and':
      return compileAll(expression.operands, resolve, allOf);
    case 'or':
      return compileAll(expression.operands, resolve, anyOf);
    case 'not':
      return negate(compileExpression(expression.operand, resolve));
    case 'compare': {
      const { operator, field, literal } = expression;
      if (operator !== 'ne') return compileCondition(field, { kind: 'compare', operator, literal }, resolve);
      return negate(compileCondition(field, { kind: 'compare', operator: 'eq', literal }, resolve));
    }
    case 'in':
    case 'match':
    case 'blank':
      return compileCondition(expression.field, expression, resolve);
  }
};

const compileAll = (
  operands: readonly FilterExpression[],
  resolve: Resolve,
  join: (conditions: readonly SqlExpression[]) => SqlExpression,
): CompiledFilter => {
  const conditions: SqlExpression[] = [];
  for (const operand of operands) {
    const condition = compileExpression(operand, resolve);
    if ('rule' in condition) return condition;
    conditions.push(condition);
  }
  return join(conditions);
};

const negate = (condition: CompiledFilter): CompiledFilter => ('rule' in condition ? condition : negation(condition));

const compileCondition = (field: FilterField, question: AttributePredicate, resolve: Resolve): CompiledFilter => {
  const resolved = resolve(field);
  if ('rule' in resolved) return resolved;
  if (resolved.kind === 'column')
    return (
      compileColumnCondition(resolved.column, question) ??
      typeFault(field, question, [{ name: field.name, type: 'string' }])
    );
  const { attributes } = resolved;
  const conditions = attributes.flatMap(({ name, type }) => compileAttributeCondition(name, type, question) ?? []);
  if (conditions.length === 0) return typeFault(field, question, attributes);
  return question.kind === 'blank' ? allOf(conditions) : anyOf(conditions);
};

/** The first literal that does not fit, else the operator, which asks what the type does not answer. */
const typeFault = (
  field: FilterField,
  question: AttributePredicate,
  attributes: readonly AttributeField[],
): ExpressionFault => {
  const literals = question.kind === 'in' ? question.literals : question.kind === 'blank' ? [] : [question.literal];
  const types = [...new Set(attributes.map(({ type }) => type))];
  const wrong = literals.find((literal) => !types.some((type) => isOfType(literal, type)));
  const kinds = types.map((type) => kindNames[type]).join(' or ');
  const expected = types.map((type) => expectedValues[type]).join(', or ');
  return wrong
    ? { position: wrong.start, message: `${field.name} is ${kinds}; expected ${expected}.`, rule: 'type' }
    : {
        position: field.start,
        message: `${field.name} is ${kinds}; ${types.map((type) => operatorHints[type]).join(' ')}`,
        rule: 'type',
      };
};

const isOfType = (literal: FilterLiteral, type: AttributeField['type']): boolean => {
  switch (type) {
    case 'string':
      return textOfLiteral(literal) !== undefined;
    case 'number':
      return numberOfLiteral(literal) !== undefined;
    case 'boolean':
      return booleanOfLiteral(literal) !== undefined;
    case 'date-time':
      return timeSpanOfLiteral(literal) !== undefined;
    case 'file':
    case 'link':
      return true;
  }
};

const kindNames = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  'date-time': 'a date-time',
  file: 'a list of files',
  link: 'a list of links',
} as const;

const expectedValues = {
  string: "a string in single quotes such as 'value'",
  number: 'a number such as 12.5',
  boolean: 'true or false',
  'date-time': "a date such as '2026-05-07' or a date-time such as '2026-05-07T08:30:00'",
  file: 'IsNull',
  link: 'IsNull',
} as const;

const operatorHints = {
  string: 'every operator can be used.',
  number: 'use -eq -ne -gt -ge -lt -le -in or IsNull.',
  boolean: 'use -eq -ne -in or IsNull.',
  'date-time': 'use -eq -ne -gt -ge -lt -le -in or IsNull.',
  file: 'only IsNull can be asked.',
  link: 'only IsNull can be asked.',
} as const;

/** People count characters from one, `position` counts from zero. */
const refuseFilter = ({ position, message, rule, suggestion }: ExpressionFault) => {
  const fault: Fault = {
    in: 'query',
    path: '$filter',
    message: `character ${position + 1}: ${message}`,
    rule,
    position,
    ...(suggestion !== undefined && { suggestion }),
  };
  return fail('CONTENT_FILTER_SYNTAX', 'The filter cannot be used.', { faults: [fault] });
};
