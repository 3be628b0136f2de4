/** Which column of a table each column of a file goes to. */
import type { AnswerFor } from '../../../api/operations.js';
import type { CsvPreview } from './csv-preview.js';
import { nameFor } from './propose-columns.js';

export type TableColumn = AnswerFor<'listTables'>['tables'][number]['columns'][number];

/** By the place in the file; undefined where nothing fits. */
export type ColumnMatch = readonly (string | undefined)[];

/** By name, else by what the name would be as a column; without a header in the order of the table. Each column is taken once. */
export const matchColumns = ({ header, width }: CsvPreview, columns: readonly TableColumn[]): ColumnMatch => {
  const ids = columns.map(({ id }) => id);
  if (header === undefined) return Array.from({ length: width }, (_, at) => ids[at]);
  const taken = new Set(header.filter((title) => ids.includes(title)));
  return header.map((title, at) => {
    if (ids.includes(title)) return header.indexOf(title) === at ? title : undefined;
    const name = nameFor(title);
    if (name === undefined || !ids.includes(name) || taken.has(name)) return undefined;
    taken.add(name);
    return name;
  });
};

export type MatchFault =
  | { readonly kind: 'unmatched'; readonly at: number }
  | { readonly kind: 'twice'; readonly at: number; readonly column: string }
  | { readonly kind: 'missing'; readonly columns: readonly string[] };

/** Why rows cannot be sent like that. Every value of a row needs a column: the server passes over none. */
export const faultsOfMatch = (match: ColumnMatch, needed: readonly string[]): readonly MatchFault[] => {
  const missing = needed.filter((id) => !match.includes(id));
  return [
    ...match.flatMap((column, at): readonly MatchFault[] => {
      if (column === undefined) return [{ kind: 'unmatched', at }];
      return match.indexOf(column) < at ? [{ kind: 'twice', at, column }] : [];
    }),
    ...(missing.length > 0 ? [{ kind: 'missing', columns: missing } as const] : []),
  ];
};

/** For the begin of a load; empty when the match has faults. */
export const columnsOfMatch = (match: ColumnMatch): string[] => match.filter((column) => column !== undefined);
