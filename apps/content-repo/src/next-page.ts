/** Pages of lists: how many entries there are on all of them, and where the next one is. */
import { fillPath, pathParameterNames, type HttpOperation } from '@tessera/contracts';

/** The parsed request of an operation that has pages. */
type PageRequest = Readonly<Record<string, unknown>> & { readonly $page?: number | undefined };

/** The request again, for the page behind it. `pageKey`: where that begins, when the list goes on by keys. */
export const nextPageAddress = (
  { http }: HttpOperation,
  request: PageRequest,
  publicUrl: string,
  pageKey?: string,
): string => {
  const elsewhere = new Set([...pathParameterNames(http), ...Object.keys(http.headers ?? {})]);
  const options = Object.entries({ ...request, $page: undefined, $pageSelectionKey: undefined })
    .filter(([name, value]) => !elsewhere.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent([value].flat().map(String).join(','))}`);
  const place = pageKey === undefined ? `$page=${(request.$page ?? 1) + 1}` : `$pageSelectionKey=${pageKey}`;
  const path = fillPath(http, (member) => encodeURIComponent(String(request[member])));
  return `${publicUrl}${path}?${[...options, place].join('&')}`;
};

/** `next`: the address of the next page; undefined behind the last. */
export const pageHeaders = (total: number, next: string | undefined): Readonly<Record<string, string>> => ({
  'x-total-count': String(total),
  ...(next !== undefined && { link: `<${next}>; rel="next"` }),
});
