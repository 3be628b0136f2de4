/**
 * Models and rows for the independent evaluation: a definition, the rows of its tables, and what a field of a row is,
 * computed in plain TypeScript.
 */
import type { KnowledgeModelDefinition, RecordDefinition, ValueType } from '@tessera/contracts/knowledge-models';
import type { Formula } from '../../expression/formula.js';
import { parseFormula } from '../../expression/parse-formula.js';
import { evaluate, isMoment, isRational, textOf, type Value } from '../evaluate.js';

/** Values by column. */
export type StoredRow = ReadonlyMap<string, Value>;

export type World = {
  readonly definition: KnowledgeModelDefinition;
  readonly tables: ReadonlyMap<string, readonly StoredRow[]>;
};

export type FieldName = { readonly record: string; readonly field: string };

export const recordOf = ({ definition }: World, id: string): RecordDefinition => {
  const found = definition.records?.find((record) => record.id === id);
  if (!found) throw new Error(`There is no record ${id}.`);
  return found;
};

export const fieldIdsOf = ({ attributes = [], augmentedAttributes = [], flags = [] }: RecordDefinition): string[] =>
  [...attributes, ...augmentedAttributes, ...flags].map(({ id }) => id);

export const typeOfField = (world: World, { record, field }: FieldName): ValueType => {
  const { attributes = [], augmentedAttributes = [] } = recordOf(world, record);
  const attribute = attributes.find(({ id }) => id === field);
  if (attribute) return attribute.type ?? 'string';
  const augmented = augmentedAttributes.find(({ id }) => id === field);
  return augmented ? (augmented.type ?? missingType(field)) : 'boolean';
};

const missingType = (field: string): never => {
  throw new Error(`${field} says no type.`);
};

/** The text of a field's formula; undefined for a column. */
export const formulaOfField = (world: World, { record, field }: FieldName): string | undefined => {
  const { augmentedAttributes = [], flags = [] } = recordOf(world, record);
  return [...augmentedAttributes, ...flags].find(({ id }) => id === field)?.expression;
};

export const columnOf = (world: World, { record, field }: FieldName): string => {
  const column = recordOf(world, record).attributes?.find(({ id }) => id === field)?.column;
  if (column === undefined) throw new Error(`${record}.${field} is no column.`);
  return column;
};

export const valueOfField = (world: World, row: StoredRow, { record, field }: FieldName): Value => {
  const formula = formulaOfField(world, { record, field });
  if (formula === undefined) return row.get(columnOf(world, { record, field })) ?? null;
  return evaluate(readFormula(formula), { get: (inner) => valueOfField(world, row, { record, field: inner }) });
};

const formulas = new Map<string, Formula>();

export const readFormula = (text: string): Formula => {
  const known = formulas.get(text);
  if (known) return known;
  const parsed = parseFormula(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`);
  formulas.set(text, parsed.value);
  return parsed.value;
};

/** The same for values that are the same, and for those only. */
export const keyOf = (value: Value): string => {
  if (value === null) return 'null';
  if (isRational(value)) return `${value.over}/${value.under}`;
  return `${isMoment(value) ? value.kind : typeof value}:${textOf(value)}`;
};

export const keyOfAll = (values: readonly Value[]): string => JSON.stringify(values.map(keyOf));
