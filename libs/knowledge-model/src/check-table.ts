/** The faults of a table's definition that its shape does not show. Refuses: rows; the loader looks at those. */
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import { type Fault, faultList } from '@tessera/failures';

export const checkTable = ({ columns, primaryKey = [], source }: TableDefinition): readonly Fault[] => {
  const list = faultList('definition');
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
  if (source && source.format === undefined && !/\.(?:csv|jsonl)$/.test(source.file))
    list.add(['source', 'file'], 'format', 'the ending does not tell the format; expected .csv, .jsonl or a format');
  return list.faults;
};
