/**
 * Query options of OData: system query options with `$` or without it, in any case. One of the standard that the operation lacks
 * is 501, by name; any other name is an unknown parameter.
 */
import { fail, type Failure } from '@tessera/failures';
import type { ParsedUrlQuery } from 'node:querystring';

/** All that the standard has, served or not. */
const systemOptions: ReadonlySet<string> = new Set([
  ...['apply', 'compute', 'count', 'deltatoken', 'expand', 'filter', 'format', 'id', 'index', 'levels', 'orderby'],
  ...['schemaversion', 'search', 'select', 'skip', 'skiptoken', 'top'],
]);

type ODataOptions = {
  /** What a client may write, for suggestions. */
  readonly names: readonly string[];
  /** Under the names of the members, whatever their spelling was; what is given in several spellings is given several times. */
  readonly renamed: (pairs: ParsedUrlQuery) => ParsedUrlQuery;
  /** True for a system query option that the operation lacks. */
  readonly isUnsupported: (name: string) => boolean;
  readonly unsupportedIn: (pairs: ParsedUrlQuery) => Failure | undefined;
};

export const createODataOptions = (members: readonly string[]): ODataOptions => {
  const spellings = members.flatMap((member) => [
    [member.toLowerCase(), member] as const,
    [plainNameOf(member), member] as const,
  ]);
  const bySpelling = new Map(spellings);
  const names = [...new Set([...members, ...bySpelling.keys()])];
  const renamed = (pairs: ParsedUrlQuery): ParsedUrlQuery => {
    const groups = Map.groupBy(Object.keys(pairs), (name) => bySpelling.get(name.toLowerCase()) ?? name);
    return Object.fromEntries([...groups].map(([member, given]) => [member, valuesOf(pairs, given)]));
  };
  const isUnsupported = (name: string): boolean => !members.includes(name) && systemOptions.has(plainNameOf(name));
  const unsupportedIn = (pairs: ParsedUrlQuery): Failure | undefined => {
    const unsupported = Object.keys(pairs).filter(isUnsupported);
    return unsupported.length === 0 ? undefined : refuseOptions(unsupported, members);
  };
  return { names, renamed, isUnsupported, unsupportedIn };
};

const plainNameOf = (name: string): string => name.replace(/^\$/, '').toLowerCase();

const valuesOf = (pairs: ParsedUrlQuery, names: readonly string[]): string | string[] => {
  const values = names.flatMap((name) => pairs[name] ?? []);
  return values.length === 1 ? values.join() : values;
};

const namesMax = 5;
const nameLengthMax = 40;

const refuseOptions = (unsupported: readonly string[], members: readonly string[]): Failure => {
  const named = unsupported.slice(0, namesMax).map((name) => name.slice(0, nameLengthMax));
  return fail(
    'ODATA_OPTION_UNSUPPORTED',
    `${named.join(', ')} ${named.length === 1 ? 'is' : 'are'} not supported here; there ${members.length === 1 ? 'is' : 'are'} ${members.join(', ')}.`,
  ).failure;
};

/** Numbers and truth values as OData's grammar reads them, in which case does not count; blanks around them do not harm. */
export const normaliseLiteral = (value: string | string[]): string | string[] =>
  typeof value === 'string' ? value.trim().toLowerCase() : value;

const plusBeforeZone = /(T\d\d(?::|%3A)[\d:.%A]{2,25})\+(?=\d\d(?::|%3A)\d\d)/gi;

/** A plus is a space in a query; the one of a zone is meant as such, and clients forget to encode it. */
export const encodeTimeZonePlus = (query: string): string => query.replace(plusBeforeZone, '$1%2B');
