/**
 * The text of the sort -> places in what is asked for. `+A`, ` A` (a plus sign on its way through a URL) and `A` ascend,
 * `-A` descends; the same twice is once.
 * Refuses: empty items, both directions of one column, and what is not asked for or not sortable.
 */
import { withSuggestion } from '@tessera/filter';
import { nearestName, type Result, succeed } from '@tessera/failures';
import { findField } from './name-fields.js';
import type { AskedColumn } from './query-field.js';
import { faultsMax, type QueryFault, refuse, succeedUnless } from './query-fault.js';
import type { QueryLevel } from './query-level.js';
import type { ResolvedSort } from './resolved-query.js';
import { expectedOneOf, shortened } from './unknown-name.js';

type Item = { readonly id: string; readonly descending: boolean };

export const resolveSort = (
  level: QueryLevel,
  columns: readonly AskedColumn[],
  sort: string | undefined,
): Result<readonly ResolvedSort[]> => {
  if (sort === undefined) return succeed([]);
  const items = sort.split(',').map(readItem);
  const empty = items.findIndex(({ id }) => id === '');
  if (empty >= 0) return refuse(emptyItem(items.length, empty));
  const places = new Map(columns.map(({ column }, place) => [column.id, place]));
  const found = new Map<number, ResolvedSort>();
  const faults: QueryFault[] = [];
  for (const { id, descending } of items) {
    const place = places.get(id);
    const column = place === undefined ? undefined : columns[place];
    const before = place === undefined ? undefined : found.get(place);
    if (faults.length === faultsMax) break;
    if (place === undefined || !column) faults.push(notAsked(level, columns, id));
    else if (!column.column.sortable) faults.push(notSortable(columns, id));
    else if (before && before.descending !== descending) faults.push(opposite(id));
    else found.set(place, { column: place, descending });
  }
  return succeedUnless(faults, [...found.values()]);
};

const readItem = (text: string): Item => {
  const sign = /^\s*[+-]/.exec(text)?.[0] ?? '';
  return { id: text.slice(sign.length).trim(), descending: sign.endsWith('-') };
};

const emptyItem = (count: number, index: number): QueryFault => {
  const what = count === 1 ? 'The sort' : `Item ${index + 1} of the sort`;
  const message = `${what} names nothing; expected what is asked for, with - before it to descend.`;
  return { code: 'SORT_IS_EMPTY', path: 'sort', rule: 'empty', message };
};

const opposite = (id: string): QueryFault => ({
  code: 'SORT_HAS_OPPOSITE',
  path: 'sort',
  rule: 'opposite',
  message: `The sort names ${id} in both directions; name it once.`,
});

const notSortable = (columns: readonly AskedColumn[], id: string): QueryFault =>
  unknownColumn(`${id} is not sortable${expectedOneOf(sortable(columns))}.`);

const notAsked = (level: QueryLevel, columns: readonly AskedColumn[], id: string): QueryFault => {
  const names = sortable(columns);
  const suggestion = directed(id, names) ?? otherLevel(level, id, names);
  if (suggestion !== undefined) return unknownColumn(`There is no ${shortened(id)} to sort by.`, suggestion);
  const parameter = parameterOf(level, id);
  if (parameter !== undefined)
    return unknownColumn(`${id} is not asked for; name it in ${parameter} as well to sort by it.`);
  const near = nearestName(id, names);
  return near === undefined
    ? unknownColumn(`There is no ${shortened(id)} to sort by${expectedOneOf(names)}.`)
    : unknownColumn(`There is no ${shortened(id)} to sort by.`, near);
};

/** `A desc`, as other languages have it. */
const directed = (id: string, names: readonly string[]): string | undefined => {
  const [, name, direction] = /^(\S+) (asc|desc)$/i.exec(id) ?? [];
  if (name === undefined || !names.includes(name)) return undefined;
  return direction?.toLowerCase() === 'desc' ? `-${name}` : name;
};

/** The same field as the other level writes it. */
const otherLevel = ({ record }: QueryLevel, id: string, names: readonly string[]): string | undefined => {
  if (record) return id.startsWith(`${record.id}.`) ? names.find((name) => `${record.id}.${name}` === id) : undefined;
  const same = names.filter((name) => name.endsWith(`.${id}`));
  return same.length === 1 ? same[0] : undefined;
};

/** The parameter in which it could be asked for. */
const parameterOf = ({ view, record }: QueryLevel, id: string): string | undefined => {
  if (record) return view.names.fields.get(record.id)?.has(id) ? 'fields' : undefined;
  if (view.names.kpis.has(id)) return 'kpis';
  return findField(view.names, undefined, id) ? 'fields' : undefined;
};

const sortable = (columns: readonly AskedColumn[]): readonly string[] =>
  columns.flatMap(({ column }) => (column.sortable ? [column.id] : []));

const unknownColumn = (message: string, suggestion?: string): QueryFault => ({
  code: 'SORT_UNKNOWN_FIELD',
  path: 'sort',
  rule: 'unknown',
  message: withSuggestion(message, suggestion),
  ...(suggestion !== undefined && { suggestion }),
});
