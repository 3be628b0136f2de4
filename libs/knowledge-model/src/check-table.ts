/** The faults of a table's definition that its shape does not show. */
import type { TableDefinition, TableIndexDefinition } from '@tessera/contracts/knowledge-models';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';

export const checkTable = ({ columns, primaryKey = [], indexes = [], source }: TableDefinition): readonly Fault[] => {
  const list = createFaultList('definition');
  const ids = columns.map(({ id }) => id);
  ids.forEach((id, index) => {
    if (ids.indexOf(id) !== index) list.add(['columns', index, 'id'], 'twice', `"${id}" is defined twice`);
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
