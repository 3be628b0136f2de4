/**
 * The ids of fields and KPIs that are asked for -> the columns of the answer, each once, in the order asked.
 * Refuses: unknown names, fields where KPIs are asked for and the other way round, and to answer nothing.
 */
import type { Result } from '@tessera/failures';
import type { DataQuery } from './data-query.js';
import { findField } from './name-fields.js';
import type { AskedColumn, AskedField } from './query-field.js';
import { faultsMax, type QueryFault, refuse, succeedUnless } from './query-fault.js';
import type { QueryLevel } from './query-level.js';
import { unknownField, unknownFieldOf, unknownKpi } from './unknown-name.js';

export const resolveColumns = (level: QueryLevel, query: DataQuery): Result<readonly AskedColumn[]> => {
  const faults: QueryFault[] = [];
  const columns = [...askedFields(level, query, faults), ...askedKpis(level, query, faults)];
  return faults.length > 0 || columns.length > 0 ? succeedUnless(faults, columns) : refuse(nothingAsked(level, query));
};

const askedFields = (level: QueryLevel, { fields }: DataQuery, faults: QueryFault[]): readonly AskedColumn[] => {
  if (fields !== 'all') return namedFields(level, fields, 'fields', faults);
  const { view, record } = level;
  return record ? [...(view.names.fields.get(record.id)?.values() ?? [])].map(({ ofRecord }) => ofRecord) : [];
};

/** `path`: the parameter that names them. */
export const namedFields = (
  { view, record }: QueryLevel,
  ids: readonly string[],
  path: string,
  faults: QueryFault[],
): readonly AskedField[] =>
  [...new Set(ids)].flatMap((id) => {
    // At the level of a record a dot is another record's, or too much.
    const found = record ? view.names.fields.get(record.id)?.get(id) : findField(view.names, undefined, id);
    if (found) return [record ? found.ofRecord : found.ofModel];
    if (faults.length < faultsMax) {
      const told = record ? unknownFieldOf(view.model, record, id) : unknownField(view.model, id);
      faults.push({ code: 'KM_FIELD_NOTFOUND', path, rule: 'unknown', ...told });
    }
    return [];
  });

/** The fields of related records that are asked for beside those of the record. */
export const resolveRelated = (level: QueryLevel, { relatedFields = [] }: DataQuery): Result<readonly AskedField[]> => {
  if (relatedFields.length > 0 && !level.record) return refuse(relatedToNothing);
  const faults: QueryFault[] = [];
  return succeedUnless(faults, namedFields({ view: level.view }, relatedFields, relatedPath, faults));
};

const relatedPath = 'relatedFields';
const relatedToNothing = {
  code: 'GENERAL_PARAMETER_MISSMATCH',
  path: relatedPath,
  rule: 'level',
  message: 'Related fields stand beside those of a record; at the level of the model name them in fields.',
} as const;

const askedKpis = ({ view, record }: QueryLevel, { kpis }: DataQuery, faults: QueryFault[]): readonly AskedColumn[] => {
  if (record && kpis.length > 0) {
    const message = 'KPIs are asked for at the level of the model, not of a record.';
    faults.push({ code: 'GENERAL_PARAMETER_MISSMATCH', path: 'kpis', rule: 'level', message });
    return [];
  }
  return [...new Set(kpis)].flatMap((id) => {
    const found = view.names.kpis.get(id);
    if (found) return [found];
    if (faults.length < faultsMax)
      faults.push({ code: 'KM_KPI_NOTFOUND', path: 'kpis', rule: 'unknown', ...unknownKpi(view.model, id) });
    return [];
  });
};

const nothingAsked = ({ record }: QueryLevel, { fields }: DataQuery): QueryFault => {
  const rule = 'missing';
  if (record && fields === 'all')
    return { code: 'KM_FIELD_NOTFOUND', path: 'fields', rule, message: `${record.id} has no field to answer.` };
  const message = record
    ? `Name in fields what is asked for, e.g. ${record.fields[0]?.id ?? 'FIELD'}.`
    : 'Name in fields, in kpis or in both what is asked for.';
  return { code: 'GENERAL_PARAMETER_MISSING', path: 'fields', rule, message };
};
