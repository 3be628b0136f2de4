/** The faults of a table's definition that its shape does not show. */
import { systemColumns, type TableDefinition, type TableIndexDefinition } from '@tessera/contracts/knowledge-models';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';

/** The present name of a column that a file may call as it was called before. */
export const currentColumnName = ({ columns }: Pick<TableDefinition, 'columns'>, name: string): string =>
  columns.some(({ id }) => id === name) ? name : (columns.find(({ formerly }) => formerly === name)?.id ?? name);

/** `before`: the definition that this one replaces, as far as it is known. */
export const checkTable = (
  { columns, primaryKey = [], indexes = [], source }: TableDefinition,
  before?: TableDefinition,
): readonly Fault[] => {
  const list = createFaultList('definition');
  const ids = columns.map(({ id }) => id);
  columns.forEach((_column, index) => checkFormerName(columns, index, before?.columns, list));
  ids.forEach((id, index) => {
    if (ids.indexOf(id) !== index) list.add(['columns', index, 'id'], 'twice', `"${id}" is defined twice`);
    if (systemColumns.includes(id))
      list.add(['columns', index, 'id'], 'name', `"${id}" is a column of PostgreSQL's own; choose another name`);
  });
  primaryKey.forEach((id, index) => {
    const path = ['primaryKey', index];
    const column = columns.find((candidate) => candidate.id === id);
    if (!column) list.unknown(path, 'column', id, ids);
    else if (column.nullable) list.add(path, 'nullable', `"${id}" is part of the key, so it cannot be nullable`);
    if (primaryKey.indexOf(id) !== index) list.add(path, 'twice', `"${id}" is named twice`);
  });
  indexes.forEach((_index, place) => checkIndex({ columns, indexes }, place, list));
  if (source && source.format === undefined && !/\.(?:csv|jsonl)$/.test(source.file))
    list.add(['source', 'file'], 'format', 'the ending does not tell the format; expected .csv, .jsonl or a format');
  return list.faults;
};

type Columns = TableDefinition['columns'];

const checkFormerName = (columns: Columns, index: number, before: Columns | undefined, list: FaultList): void => {
  const { id = '', type, formerly } = columns[index] ?? {};
  if (formerly === undefined) return;
  const path = ['columns', index, 'formerly'];
  const old = before?.find((column) => column.id === formerly);
  const isThere = before?.some((column) => column.id === id) ?? true;
  if (columns.some((column) => column.id === formerly))
    list.add(path, 'formerly', `"${formerly}" is a column still, so it has no other name`);
  else if (columns.findIndex((column) => column.formerly === formerly) !== index)
    list.add(path, 'twice', `"${formerly}" is the former name of another column already`);
  else if (old && isThere) list.add(path, 'formerly', `the table has a column "${id}" already, beside "${formerly}"`);
  else if (old && old.type !== type)
    list.add(path, 'type', `"${formerly}" is of type ${old.type}; a column keeps its type with another name`);
  else if (!old && !isThere)
    list.unknown(
      path,
      'column',
      formerly,
      (before ?? []).map((column) => column.id),
    );
};

type IndexedTable = Pick<TableDefinition, 'columns'> & { readonly indexes: readonly TableIndexDefinition[] };

const checkIndex = ({ columns, indexes }: IndexedTable, place: number, list: FaultList): void => {
  const path = ['indexes', place];
  const index = indexes[place];
  if (!index) return;
  const { include = [], kind = 'ordered' } = index;
  const types = new Map(columns.map(({ id, type }) => [id, type]));
  const named = [...index.columns, ...include];
  const isTrigram = kind === 'trigram';
  named.forEach((id, at) => {
    const isIncluded = at >= index.columns.length;
    const member = isIncluded ? [...path, 'include', at - index.columns.length] : [...path, 'columns', at];
    const type = types.get(id);
    if (!type) list.unknown(member, 'column', id, types.keys());
    else if (named.indexOf(id) !== at) list.add(member, 'twice', `"${id}" is named twice`);
    else if (isTrigram && !isIncluded && type !== 'string')
      list.add(member, 'type', `"${id}" is of type ${type}; a trigram index is of columns of type string`);
  });
  if (isTrigram && include.length > 0) list.add([...path, 'include'], 'include', 'a trigram index includes no columns');
  const isSame = (other: TableIndexDefinition): boolean =>
    (other.kind ?? 'ordered') === kind && other.columns.join() === index.columns.join();
  if (indexes.findIndex(isSame) !== place) list.add(path, 'twice', 'the index is defined twice');
};
