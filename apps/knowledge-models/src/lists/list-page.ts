/**
 * The page of a list that was asked for, as bytes. Refuses: to say which entries there are; they come in the order of their
 * definition.
 */
import type { ByteReply } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { jsonReply } from '@tessera/messaging';
import { echoOf, type ListEntry, readListSort, sortEntries } from './list-sort.js';

type ListRequest = {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly sort?: string | undefined;
};

/** `members`: those of the entries that a sort may name. */
export const listPage = <Entry extends ListEntry>(
  entries: readonly Entry[],
  members: readonly (keyof Entry & string)[],
  { page, pageSize, sort }: ListRequest,
): Result<ByteReply> => {
  const order = readListSort(sort, members);
  if (!order.ok) return order;
  const content = sortEntries(entries, order.value).slice(page * pageSize, (page + 1) * pageSize);
  return jsonReply({ page, pageSize, total: entries.length, sort: echoOf(sort), content });
};
