/**
 * The search of a question -> the fields that are searched: those it names, or all of type string of what is asked for.
 * Refuses: fields of other types, and a search that could find nothing.
 */
import { type Result, succeed } from '@tessera/failures';
import type { DataSearch } from './data-query.js';
import type { AskedColumn, RecordField } from './query-field.js';
import { faultsMax, type QueryFault, refuse, succeedUnless } from './query-fault.js';
import type { QueryLevel } from './query-level.js';
import { namedFields } from './resolve-columns.js';
import type { ResolvedSearch } from './resolved-query.js';

export const resolveSearch = (
  level: QueryLevel,
  columns: readonly AskedColumn[],
  search: DataSearch | undefined,
): Result<ResolvedSearch | undefined> => {
  if (!search) return succeed(undefined);
  const { term, precision, fields: named = [] } = search;
  const fields = named.length > 0 ? searched(level, named) : succeed(searchable(level, columns));
  if (!fields.ok) return fields;
  return fields.value.length > 0
    ? succeed({ term, precision, fields: fields.value })
    : refuse(nothingToSearch(level, columns));
};

const searched = (level: QueryLevel, ids: readonly string[]): Result<readonly RecordField[]> => {
  const faults: QueryFault[] = [];
  const fields = namedFields(level, ids, 'searchField', faults);
  for (const { type, column } of fields)
    if (type !== 'string' && faults.length < faultsMax) {
      const message = `${column.id} is of type ${type}; fields of type string can be searched.`;
      faults.push({ code: 'KM_FIELD_NOTFOUND', path: 'searchField', rule: 'type', message });
    }
  return succeedUnless(faults, fields);
};

const searchable = ({ view, record }: QueryLevel, columns: readonly AskedColumn[]): readonly RecordField[] => {
  const records = record ? [record.id] : new Set(columns.flatMap((column) => (column.isKpi ? [] : [column.record])));
  return [...records]
    .flatMap((id) => [...(view.names.fields.get(id)?.values() ?? [])])
    .map(({ ofRecord, ofModel }) => (record ? ofRecord : ofModel))
    .filter(({ type }) => type === 'string');
};

const nothingToSearch = ({ record }: QueryLevel, columns: readonly AskedColumn[]): QueryFault => {
  const path = 'searchField';
  if (!record && columns.every(({ isKpi }) => isKpi))
    return {
      code: 'GENERAL_PARAMETER_MISSING',
      path,
      rule: 'missing',
      message: 'Name in searchField the fields to search; without fields there is none to choose from.',
    };
  const what = record ? record.id : 'The records that are asked for';
  const message = `${what} ${record ? 'has' : 'have'} no field of type string to search.`;
  return { code: 'GENERAL_PARAMETER_MISSMATCH', path, rule: 'type', message };
};
