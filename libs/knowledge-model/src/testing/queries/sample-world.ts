/**
 * Models and rows for the independent evaluation: a definition, the rows of its tables, and what a field of a row is,
 * computed in plain TypeScript.
 */
import type { KnowledgeModelDefinition, RecordDefinition, ValueType } from '@tessera/contracts/knowledge-models';
import type { Formula } from '../../expression/formula.js';
import { parseFormula } from '../../expression/parse-formula.js';
import { evaluateFormula, isMomentValue, isRational, valueToText, type FormulaValue } from '../evaluate.js';

/** Values by column. */
export type StoredRow = ReadonlyMap<string, FormulaValue>;

export type SampleWorld = {
  readonly definition: KnowledgeModelDefinition;
  readonly tables: ReadonlyMap<string, readonly StoredRow[]>;
};

export type FieldName = { readonly record: string; readonly field: string };

export const findRecordDefinition = ({ definition }: SampleWorld, id: string): RecordDefinition => {
  const found = definition.records?.find((record) => record.id === id);
  if (!found) throw new Error(`There is no record ${id}.`);
  return found;
};

export const fieldIdsOf = ({ attributes = [], augmentedAttributes = [], flags = [] }: RecordDefinition): string[] =>
  [...attributes, ...augmentedAttributes, ...flags].map(({ id }) => id);

export const typeOfField = (world: SampleWorld, { record, field }: FieldName): ValueType => {
  const { attributes = [], augmentedAttributes = [] } = findRecordDefinition(world, record);
  const attribute = attributes.find(({ id }) => id === field);
  if (attribute) return attribute.type ?? 'string';
  const augmented = augmentedAttributes.find(({ id }) => id === field);
  return augmented ? (augmented.type ?? missingType(field)) : 'boolean';
};

const missingType = (field: string): never => {
  throw new Error(`${field} says no type.`);
};

/** The text of a field's formula; undefined for a column. */
export const formulaOfField = (world: SampleWorld, { record, field }: FieldName): string | undefined => {
  const { augmentedAttributes = [], flags = [] } = findRecordDefinition(world, record);
  return [...augmentedAttributes, ...flags].find(({ id }) => id === field)?.expression;
};

export const columnOfField = (world: SampleWorld, { record, field }: FieldName): string => {
  const column = findRecordDefinition(world, record).attributes?.find(({ id }) => id === field)?.column;
  if (column === undefined) throw new Error(`${record}.${field} is no column.`);
  return column;
};

export const valueOfField = (world: SampleWorld, row: StoredRow, { record, field }: FieldName): FormulaValue => {
  const formula = formulaOfField(world, { record, field });
  if (formula === undefined) return row.get(columnOfField(world, { record, field })) ?? null;
  return evaluateFormula(parseSampleFormula(formula), {
    get: (inner) => valueOfField(world, row, { record, field: inner }),
  });
};

const formulas = new Map<string, Formula>();

export const parseSampleFormula = (text: string): Formula => {
  const known = formulas.get(text);
  if (known) return known;
  const parsed = parseFormula(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.fault.message}`);
  formulas.set(text, parsed.value);
  return parsed.value;
};

/** The same for values that are the same, and for those only. */
export const createValueKey = (value: FormulaValue): string => {
  if (value === null) return 'null';
  if (isRational(value)) return `${value.over}/${value.under}`;
  return `${isMomentValue(value) ? value.kind : typeof value}:${valueToText(value)}`;
};

export const createValueListKey = (values: readonly FormulaValue[]): string =>
  JSON.stringify(values.map(createValueKey));
