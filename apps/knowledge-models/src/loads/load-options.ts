/** Checks the options of a new load against the definition of its table. */
import type { beginLoad, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { RequestOf } from '@tessera/contracts';
import { fail, createFaultList, succeed, type FaultList, type Result } from '@tessera/failures';
import { convertedCsvDelimiter } from './csv-of-json-lines.js';
import { toLoadColumns } from './load-columns.js';
import type { LoadOptions } from './load.repository.js';

type BeginRequest = RequestOf<typeof beginLoad>['begin'];

export const parseLoadOptions = (begin: BeginRequest, definition: TableDefinition): Result<LoadOptions> => {
  const list = createFaultList('body');
  const known = definition.columns.map(({ id }) => id);
  checkColumns(begin, definition, list);
  if (begin.format === 'csv') checkCharacters(begin, list);
  if (begin.mode === 'upsert' && !definition.primaryKey)
    list.add(
      ['mode'],
      'key',
      'upsert needs a primary key in the definition of the table, by which its rows are told apart',
    );
  if (list.faults.length > 0)
    return fail('GENERAL_CONSTRAINT_VIOLATION', 'The load does not fit the table.', { faults: list.faults });
  const { format, mode } = begin;
  if (format === 'csv')
    return succeed({
      format,
      mode,
      definition,
      columns: begin.columns ?? known,
      delimiter: begin.delimiter,
      null: begin.null,
    });
  return succeed({ format, mode, definition, columns: known, delimiter: convertedCsvDelimiter, null: '' });
};

const checkColumns = ({ format, columns }: BeginRequest, definition: TableDefinition, list: FaultList): void => {
  if (!columns) return;
  if (format !== 'csv') return list.add(['columns'], 'format', 'lines of JSON name their columns themselves');
  const known = toLoadColumns(definition);
  columns.forEach((id, index) => {
    if (!known.some((column) => column.id === id))
      list.unknown(
        ['columns', index],
        'column',
        id,
        known.map((column) => column.id),
      );
    else if (columns.indexOf(id) !== index) list.add(['columns', index], 'twice', `"${id}" is named twice`);
  });
  for (const { id, nullable } of known)
    if (!nullable && !columns.includes(id))
      list.add(['columns'], 'missing', `"${id}" is missing; the table has no row without it`);
};

const checkCharacters = ({ delimiter, null: nullText }: BeginRequest, list: FaultList): void => {
  if (!/^[\x01-\x7f]$/.test(delimiter) || /["\r\n]/.test(delimiter))
    list.add(['delimiter'], 'character', 'expected one ASCII character that is no quote and ends no line');
  if (/["\r\n\0]/.test(nullText) || nullText.includes(delimiter))
    list.add(['null'], 'character', 'expected a text without quotes, delimiters and ends of lines');
};
