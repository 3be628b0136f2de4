/** An answer in the form of a JSON Schema: members with a known name are filled where the type fits; others are left out. */
import type { Answer } from './answer.js';
import { isObject, type JsonObject } from './json.js';

const memberNames: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'answer', 'summary', 'message', 'antwort', 'response', 'explanation'],
  kpi: ['kpi', 'kpis', 'figure', 'metric', 'kennzahl'],
  value: ['value', 'amount', 'wert', 'result', 'total'],
  unit: ['unit', 'einheit'],
  rows: ['rows', 'data', 'items', 'results', 'zeilen'],
  filters: ['filters', 'filter'],
  language: ['language', 'lang', 'sprache'],
};

export const fillSchema = ({ text, data }: Answer, schema: unknown): JsonObject => {
  const known: JsonObject = { ...data, text };
  if (!isObject(schema) || !isObject(schema['properties'])) return omitUndefined(known);
  return omitUndefined(
    Object.fromEntries(
      Object.entries(schema['properties']).map(([member, form]) => {
        const name = Object.keys(memberNames).find((each) => memberNames[each]?.includes(member.toLowerCase()));
        const value = name === undefined ? undefined : known[name];
        return [member, matchesForm(value, form) ? value : undefined];
      }),
    ),
  );
};

const omitUndefined = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const matchesForm = (value: unknown, form: unknown): boolean => {
  if (value === undefined || !isObject(form)) return value !== undefined;
  const types = [form['type']].flat().filter((type) => typeof type === 'string');
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const isType = types.length === 0 || types.includes(type) || (types.includes('integer') && Number.isInteger(value));
  const isItem = type !== 'array' || !Array.isArray(value) || value.every((each) => matchesForm(each, form['items']));
  return isType && isItem && (!Array.isArray(form['enum']) || form['enum'].includes(value));
};
