/**
 * What reads of data understand beside their contract: names by which other interfaces ask for pages, filters and formats
 * are refused with the right one, since to pass them over would answer something else than was asked for; null in a body
 * is an absent member.
 */
import type { Fault } from '@tessera/failures';

/** By their lower case, without `$`. */
const rightNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['format', ['$format']],
  ['filter', ['filterExpr']],
  ['where', ['filterExpr']],
  ['top', ['pageSize']],
  ['limit', ['pageSize']],
  ['size', ['pageSize']],
  ['perpage', ['pageSize']],
  ['skip', ['page']],
  ['offset', ['page']],
  ['start', ['page']],
  ['orderby', ['sort']],
  ['select', ['fields']],
  ['search', ['searchTerm']],
  ['apply', ['kpis', 'fields']],
  ['count', []],
  ['expand', []],
]);

/** Undefined: the name asks for nothing that an answer could lack. */
export const refuseResultParameter = (name: string, known: readonly string[]): Fault | undefined => {
  const candidates = rightNames.get(name.toLowerCase().replace(/^\$|[_-]/g, ''));
  if (candidates === undefined) return undefined;
  const meant = candidates.filter((candidate) => known.includes(candidate));
  const [suggestion] = meant;
  return {
    in: 'query',
    path: name,
    message: suggestion === undefined ? 'is not known here.' : `is not known; use ${meant.join(' and ')}.`,
    rule: 'additionalProperties',
    ...(suggestion !== undefined && { suggestion }),
  };
};

/** The members of an object that others may stand beside, with those inside them. */
export type KnownMembers = ReadonlyMap<string, KnownMembers | undefined>;

/** The value without known members that are null; a list keeps what it holds. */
export const withoutNulls = (value: unknown, known: KnownMembers | undefined): unknown => {
  if (!known || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => member !== null || !known.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, known.get(name))]));
};
