/**
 * Parameters that ask for another answer than the one that would come: names by which other interfaces ask for pages,
 * filters and formats are refused with the right one. In bodies of reads of data null is an absent member.
 */
import type { Fault } from '@tessera/failures';
import { findNearestMemberName, createUnknownMemberFault } from './faults.js';

type RightNames = ReadonlyMap<string, readonly string[]>;

/** Of group A. */
const contentNames: RightNames = new Map([
  ['top', ['$pageSize']],
  ['limit', ['$pageSize']],
  ['skip', ['$page']],
  ['offset', ['$page']],
  ['modifiedsince', ['$filter']],
  ['format', []],
  ['expand', ['$expandRelated']],
]);

/** Of reads of data, by their lower case, without `$`. */
const dataNames: RightNames = new Map([
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
export const refuseDataParameter = (name: string, known: readonly string[]): Fault | undefined =>
  refuseByName(dataNames, name, known);

/** Beside those names whatever begins with `$` asks for something. */
export const refuseContentParameter = (name: string, known: readonly string[]): Fault | undefined =>
  refuseByName(contentNames, name, known) ??
  (name.startsWith('$') ? createUnknownMemberFault('query', name, findNearestMemberName(name, known)) : undefined);

const refuseByName = (rightNames: RightNames, name: string, known: readonly string[]): Fault | undefined => {
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

/** The members of an object, with those inside them. */
export type KnownMembers = ReadonlyMap<string, KnownMembers | undefined>;

/** The value without known members that are null; a list keeps what it holds. */
export const removeNullMembers = (value: unknown, known: KnownMembers | undefined): unknown => {
  if (!known || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => member !== null || !known.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, removeNullMembers(member, known.get(name))]));
};
