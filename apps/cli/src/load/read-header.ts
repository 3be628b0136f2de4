/** Reads the first line of a CSV as the columns of a table. */
import type { LoadFault, TableDefinition } from '@tessera/contracts/knowledge-models';
import { faultList } from '@tessera/failures';

type ReadHeader =
  | { readonly ok: true; readonly columns: readonly string[] }
  | { readonly ok: false; readonly faults: readonly LoadFault[] };

export const readHeader = (text: string, delimiter: string, table: TableDefinition): ReadHeader => {
  const names = valuesOf(text.replace(/[\r\n]+$/, ''), delimiter);
  const known = table.columns.map(({ id }) => id);
  const faults: LoadFault[] = names.flatMap((name, index) => {
    if (names.indexOf(name) !== index) return [{ line: 1, column: name, message: 'is named twice' }];
    return known.includes(name) ? [] : unknownColumn(table, name, known);
  });
  const key = table.primaryKey ?? [];
  for (const { id, nullable } of table.columns)
    if (!names.includes(id) && (nullable === false || key.includes(id)))
      faults.push({ line: 1, column: id, message: 'is not in the header, but every row needs a value' });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, columns: names };
};

const unknownColumn = ({ schema, id }: TableDefinition, name: string, known: readonly string[]): LoadFault[] => {
  const list = faultList('header');
  list.unknown([], `column of ${schema}.${id}`, name, known);
  return list.faults.map(({ message }) => ({ line: 1, message }));
};

/** Of one record, without its quotes. */
const valuesOf = (text: string, delimiter: string): readonly string[] => {
  const values = [''];
  let isOpen = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"' && isOpen && text[at + 1] === '"') at += 1;
    else if (character === '"') {
      isOpen = !isOpen;
      continue;
    } else if (character === delimiter && !isOpen) {
      values.push('');
      continue;
    }
    values[values.length - 1] += character;
  }
  return values;
};
