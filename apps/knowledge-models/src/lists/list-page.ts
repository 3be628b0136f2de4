/** The requested page of a list, as bytes. */
import type { ByteReply } from '@tessera/contracts';
import { type Result, fail, findNearestName, succeed } from '@tessera/failures';
import { createJsonReply } from '@tessera/messaging';

type ListRequest = {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly sort?: string | undefined;
};

/** `members`: those of the entries that a sort may name. */
export const createListPage = <Entry extends ListEntry>(
  entries: readonly Entry[],
  members: readonly (keyof Entry & string)[],
  { page, pageSize, sort }: ListRequest,
): Result<ByteReply> => {
  const order = readListSort(sort, members);
  if (!order.ok) return order;
  const content = sortEntries(entries, order.value).slice(page * pageSize, (page + 1) * pageSize);
  return createJsonReply({ page, pageSize, total: entries.length, sort: restoreRequestedSort(sort), content });
};

type ListSort = { readonly member: string; readonly descending: boolean };

export type ListEntry = { readonly id: string };

/** Undefined when it was left out. A plus sign may arrive as the space that it stands for in an address. */
export const readListSort = (text: string | undefined, members: readonly string[]): Result<ListSort | undefined> => {
  if (text === undefined) return succeed(undefined);
  const items = text.split(',').map((item) => item.trim().replace(/^[+-]\s*/, ''));
  if (items.includes(''))
    return fail('SORT_IS_EMPTY', `The sort names nothing; expected one of ${members.join(', ')}.`);
  const [member = ''] = items;
  if (items.length > 1)
    return fail('SORT_HAS_OPPOSITE', `A list is sorted by one member of its entries; this sort names ${items.length}.`);
  if (!members.includes(member)) return fail('SORT_UNKNOWN_FIELD', unknownMember(member, members));
  return succeed({ member, descending: text.trim().startsWith('-') });
};

const unknownMember = (name: string, members: readonly string[]): string => {
  const near = findNearestName(name, members);
  const hint = near === undefined ? `; expected one of ${members.join(', ')}.` : `. Did you mean ${near}?`;
  return `The entries have no member ${name.slice(0, 100)} to sort by${hint}`;
};

/** As it was requested; '' when it was not. */
export const restoreRequestedSort = (sort: string | undefined): string => (sort ?? '').replace(/^ /, '+');

/** The entries in their own order without a sort. */
export const sortEntries = <Entry extends ListEntry>(
  entries: readonly Entry[],
  sort: ListSort | undefined,
): readonly Entry[] => {
  if (!sort) return entries;
  const keyed = entries.map((entry) => ({ entry, id: Buffer.from(entry.id), key: keyOf(entry, sort.member) }));
  const direction = sort.descending ? -1 : 1;
  return keyed
    .sort((left, right) => direction * left.key.compare(right.key) || left.id.compare(right.id))
    .map(({ entry }) => entry);
};

/** UTF-8 has the order of code points. */
const keyOf = (entry: ListEntry, member: string): Buffer => {
  const value: unknown = Reflect.get(entry, member);
  if (typeof value === 'boolean') return Buffer.from(String(value));
  return Buffer.from(typeof value === 'string' ? value.toLowerCase() : '');
};
