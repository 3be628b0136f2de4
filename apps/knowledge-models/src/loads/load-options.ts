/** Checks the options of a new load against the definition of its table. */
import type { beginLoad, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { RequestOf } from '@tessera/contracts';
import { fail, createFaultList, succeed, type FaultList, type Result } from '@tessera/failures';
import { currentColumnName } from '@tessera/knowledge-model';
import { convertedCsvDelimiter } from './csv-of-json-lines.js';
import { givenColumn, toLoadColumns } from './load-columns.js';
import type { LoadOptions } from './load.repository.js';

type BeginRequest = RequestOf<typeof beginLoad>['begin'];

export const parseLoadOptions = (asked: BeginRequest, definition: TableDefinition): Result<LoadOptions> => {
  const begin = { ...asked, columns: asked.columns?.map((name) => currentColumnName(definition, name)) };
  const list = createFaultList('body');
  checkColumns(begin, definition, list);
  if (begin.format === 'csv') checkCharacters(begin, list);
  if ((begin.mode === 'upsert' || begin.mode === 'delete') && !definition.primaryKey)
    list.add(
      ['mode'],
      'key',
      `${begin.mode} needs a primary key in the definition of the table, by which its rows are told apart`,
    );
  if (list.faults.length > 0)
    return fail('GENERAL_CONSTRAINT_VIOLATION', 'The load does not fit the table.', { faults: list.faults });
  const { format, mode } = begin;
  const columns = [...columnsOfMode(mode, definition)];
  if (format === 'csv')
    return succeed({
      format,
      mode,
      definition,
      columns: begin.columns ?? columns,
      delimiter: begin.delimiter,
      null: begin.null,
    });
  if (mode === 'upsert') columns.push(givenColumn.id);
  return succeed({ format, mode, definition, columns, delimiter: convertedCsvDelimiter, null: '' });
};

/** Rows that go are told by their keys alone. */
const columnsOfMode = (mode: BeginRequest['mode'], { columns, primaryKey = [] }: TableDefinition): readonly string[] =>
  mode === 'delete' ? primaryKey : columns.map(({ id }) => id);

const checkColumns = ({ format, mode, columns }: BeginRequest, definition: TableDefinition, list: FaultList): void => {
  if (!columns) return;
  if (format !== 'csv') return list.add(['columns'], 'format', 'lines of JSON name their columns themselves');
  const ids = columnsOfMode(mode, definition);
  const known = toLoadColumns(definition).filter(({ id }) => ids.includes(id));
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
  const { primaryKey = [] } = definition;
  for (const { id, nullable } of known) {
    const isNeeded = mode === 'upsert' ? primaryKey.includes(id) : !nullable;
    if (isNeeded && !columns.includes(id))
      list.add(['columns'], 'missing', `"${id}" is missing; the table has no row without it`);
  }
};

const checkCharacters = ({ delimiter, null: nullText }: BeginRequest, list: FaultList): void => {
  if (!/^[\x01-\x7f]$/.test(delimiter) || /["\r\n]/.test(delimiter))
    list.add(['delimiter'], 'character', 'expected one ASCII character that is no quote and ends no line');
  if (/["\r\n\0]/.test(nullText) || nullText.includes(delimiter))
    list.add(['null'], 'character', 'expected a text without quotes, delimiters and ends of lines');
};
