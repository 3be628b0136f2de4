/** An answer in the form of a JSON Schema: members with a known name are filled where the type fits; others are left out. */
import type { Answer } from './answer.js';
import { isObject, type Json } from './json.js';

const names: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'answer', 'summary', 'message', 'antwort', 'response', 'explanation'],
  kpi: ['kpi', 'kpis', 'figure', 'metric', 'kennzahl'],
  value: ['value', 'amount', 'wert', 'result', 'total'],
  unit: ['unit', 'einheit'],
  rows: ['rows', 'data', 'items', 'results', 'zeilen'],
  filters: ['filters', 'filter'],
  language: ['language', 'lang', 'sprache'],
};

export const fillSchema = ({ text, data }: Answer, schema: unknown): Json => {
  const known: Json = { ...data, text };
  if (!isObject(schema) || !isObject(schema['properties'])) return defined(known);
  return defined(
    Object.fromEntries(
      Object.entries(schema['properties']).map(([member, form]) => {
        const name = Object.keys(names).find((each) => names[each]?.includes(member.toLowerCase()));
        const value = name === undefined ? undefined : known[name];
        return [member, fits(value, form) ? value : undefined];
      }),
    ),
  );
};

const defined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const fits = (value: unknown, form: unknown): boolean => {
  if (value === undefined || !isObject(form)) return value !== undefined;
  const types = [form['type']].flat().filter((type) => typeof type === 'string');
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const isType = types.length === 0 || types.includes(type) || (types.includes('integer') && Number.isInteger(value));
  const isItem = type !== 'array' || !Array.isArray(value) || value.every((each) => fits(each, form['items']));
  return isType && isItem && (!Array.isArray(form['enum']) || form['enum'].includes(value));
};
