/** The address of the page behind a page: the options of the request with the place where it ended. */
import type { EntriesRequest } from './entries-question.js';

type NextLinkRequest = Omit<EntriesRequest, '$skip' | '$skiptoken' | 'prefer'> & {
  readonly $format?: string | undefined;
};

/** `root`: the address of the service with a slash at its end. `topLeft`: what is left of `$top`, if there is one. */
export const nextLinkOf = (
  address: { readonly root: string; readonly setName: string },
  { $filter, filterid, $select, $expand, $orderby, $count, $format }: NextLinkRequest,
  token: string,
  topLeft?: number,
): string => {
  const options: readonly (readonly [string, string | undefined])[] = [
    ['$filter', $filter],
    ...(filterid ?? []).map((id) => ['filterid', id] as const),
    ['$select', $select],
    ['$expand', $expand],
    ['$orderby', $orderby],
    ['$count', $count === true ? 'true' : undefined],
    ['$format', $format],
    ['$top', topLeft === undefined ? undefined : String(topLeft)],
    ['$skiptoken', token],
  ];
  const query = options.flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}=${encodeURIComponent(text.toWellFormed())}`],
  );
  return `${address.root}${address.setName}?${query.join('&')}`;
};
