/** From a figure to the rows behind it: the question for the rows of the record that a KPI is computed from. */
import { namesIn, printLiteral } from './condition.js';
import { nextPeriodStart } from './period.js';
import { emptyQuestion, fieldWithoutGrain, type Question } from './question.js';
import { typeOf, type ModelRecord, type Schema } from './schema.js';
import { groupsOf } from './result-shape.js';
import type { Header, Row } from './value-format.js';

const fieldsMax = 10;

/** What tells rows apart first, then what is true or false of them, then the rest. */
export const fieldsToShow = (record: ModelRecord): readonly string[] => {
  const flags = record.flags.map(({ id }) => id);
  const ids = [...record.identifier, ...flags, ...record.fields.map(({ id }) => id)];
  const seen = new Set(record.fields.map(({ id }) => id));
  return [...new Set(ids.filter((id) => seen.has(id)))].slice(0, fieldsMax).map((id) => `${record.id}.${id}`);
};

/** The rows of a record. */
export const rowsOfRecord = (record: ModelRecord): Question => ({ ...emptyQuestion, fields: fieldsToShow(record) });

type Group = { readonly row: Row; readonly headers: readonly Header[] };

/** Of one group, or of all; undefined when the KPI tells no record, as one that is hidden. */
export const rowsBehind = (question: Question, schema: Schema, group?: Group): Question | undefined => {
  const [id = ''] = question.kpis.flatMap((kpi) => schema.kpiById.get(kpi)?.records.slice(0, 1) ?? []);
  const record = schema.recordById.get(id);
  if (record === undefined) return undefined;
  const ofGroup =
    group === undefined ? [] : groupsOf(group.headers).map((header) => groupCondition(header, group.row, schema));
  const isOfRows = (expression: string): boolean => !namesIn(expression).some((name) => schema.kpiById.has(name));
  return {
    ...question,
    ...{ kpis: [], sort: '', page: 0 },
    fields: [...new Set([...fieldsToShow(record), ...question.fields.map(fieldWithoutGrain)])],
    conditions: [...new Set([...question.conditions.filter(isOfRows), ...ofGroup])],
    period: question.period && { field: question.period.field, from: question.period.from, to: question.period.to },
  };
};

const groupCondition = ({ id, grain }: Header, row: Row, schema: Schema): string => {
  const field = fieldWithoutGrain(id);
  const value = row[id];
  if (value === null || value === undefined) return `${field} eq null`;
  if (grain !== undefined && typeof value === 'string')
    return `${field} ge ${value} and ${field} lt ${nextPeriodStart(value, grain)}`;
  return `${field} eq ${printLiteral(String(value), typeOf(schema, field))}`;
};
