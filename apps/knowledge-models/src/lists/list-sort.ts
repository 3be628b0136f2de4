/**
 * The `sort` of a list: one member of its entries, read and applied. Texts are compared without regard to case, in the order
 * of their code points; what is missing comes first; entries that are equal in it are in the order of their ids.
 * Refuses: several members, and members that the entries do not have.
 */
import { fail, nearestName, type Result, succeed } from '@tessera/failures';

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
  const near = nearestName(name, members);
  const hint = near === undefined ? `; expected one of ${members.join(', ')}.` : `. Did you mean ${near}?`;
  return `The entries have no member ${name.slice(0, 100)} to sort by${hint}`;
};

/** As it was asked for; '' when it was not. */
export const echoOf = (sort: string | undefined): string => (sort ?? '').replace(/^ /, '+');

/** The entries in their own order when nothing is asked for. */
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
