/**
 * Follows links: requests each address once, and every address in its answer, several at a time. Returns every status.
 */
import { memberOf, memberNamesOf, parseJson, textsIn } from './json.js';

const parts = ['attributes', 'related', 'children', 'content', 'versions', 'info'];
const clients = 16;
/** More than the small demo has, so that a circle of ever new addresses ends. */
const addressesMax = 6_000;

type FollowedLink = { readonly address: string; readonly status: number };

/** Not followed: addresses of link attributes, what addresses begin with, and the console, which is no document. */
const otherAddresses: readonly string[] = ['url', 'apiUrl', 'appUrl'];

/** Every address of a document that the server wrote. */
export const linksIn = (document: unknown): readonly string[] => {
  const texts = textsIn(document).filter(({ member }) => !otherAddresses.includes(member));
  return [...new Set(texts.flatMap(({ text }) => (/^https?:/.test(text) ? [text] : [])))];
};

/**
 * What no answer names, but the interface has beside it: reports of facets, parts of elements, each attribute and
 * relation. The description of an element has links in version 4.0.
 */
export const unlinkedAddressesOf = (address: string, document: unknown): readonly string[] => {
  const [path = '', query] = address.split('?');
  const at = (part: string): string => `${path}/${part}${query === undefined ? '' : `?${query}`}`;
  if (path.endsWith('/facets')) return [path.replace(/facets$/, 'info')];
  if (path.endsWith('/views')) return [path.replace(/views$/, 'reporting')];
  if (/\/views\/[^/]+\/elements\/[^/]+$/.test(path))
    return [...parts.map(at), `${at('info')}${query === undefined ? '?' : '&'}api-version=4.0`];
  return /\/elements\/[^/]+\/(attributes|related)$/.test(path) ? namesIn(document).map(at) : [];
};

const namesIn = (document: unknown): readonly string[] =>
  memberNamesOf(memberOf(document, 'values')).map((name) => encodeURIComponent(name));

/** Every address that can be reached from these, in the order of asking; `get` asks with the caller's credential. */
export const followLinks = async (
  first: Iterable<string>,
  get: (address: string) => Promise<Response>,
): Promise<readonly FollowedLink[]> => {
  const seen = new Set(first);
  const open = [...seen];
  const followed: FollowedLink[] = [];
  const follow = async (address: string): Promise<void> => {
    const response = await get(address);
    const text = await response.text();
    followed.push({ address, status: response.status });
    if (response.status !== 200) return;
    const document = parseJson(text);
    // What the past says of addresses held then.
    const links = address.includes('asOf=') ? [] : linksIn(document);
    for (const next of [...links, ...unlinkedAddressesOf(address, document)]) {
      if (seen.has(next) || seen.size >= addressesMax) continue;
      seen.add(next);
      open.push(next);
    }
  };
  while (open.length > 0) await Promise.all(open.splice(0, clients).map(follow));
  return followed;
};
