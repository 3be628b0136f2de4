/** Changes between two definitions, member by member, by path. */
import { isDeepStrictEqual } from 'node:util';
import type { DefinitionDifference } from '@tessera/contracts';

/** Entries of a list that have ids are given by them, so that their order means nothing. */
export type Members = Readonly<Record<string, unknown>>;

type Comparison = {
  /** Whether what stands there is one thing to who reads of its change, e.g. a schema. */
  readonly isWhole: (path: string) => boolean;
  /** Whether who relies on the definition as it is may fail afterwards. */
  readonly breaks: (path: string, change: DefinitionDifference['change']) => boolean;
};

const changesMax = 200;

/** `parts`: objects of members, each with what stands before the path of its members. */
export const compareMembers = (
  parts: readonly { readonly prefix: string; readonly before: Members; readonly after: Members }[],
  comparison: Comparison,
): readonly DefinitionDifference[] =>
  parts.flatMap(({ prefix, before, after }) => compareInto(before, after, prefix, comparison)).slice(0, changesMax);

const compareInto = (
  before: Members,
  after: Members,
  prefix: string,
  comparison: Comparison,
): readonly DefinitionDifference[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    compareValues(ownMember(before, name), ownMember(after, name), `${prefix}${name}`, comparison),
  );
};

/** An entry may be called like what every object has. */
const ownMember = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

const compareValues = (
  before: unknown,
  after: unknown,
  path: string,
  comparison: Comparison,
): readonly DefinitionDifference[] => {
  if (isDeepStrictEqual(before, after) || (isAbsent(before) && isAbsent(after))) return [];
  const changed = (change: DefinitionDifference['change']) => [
    { path, change, breaks: comparison.breaks(path, change) },
  ];
  if (isAbsent(before)) return changed('added');
  if (isAbsent(after)) return changed('removed');
  if (isMembers(before) && isMembers(after) && !comparison.isWhole(path))
    return compareInto(before, after, `${path}.`, comparison);
  return changed('changed');
};

/** As digests have it, what is null is what is absent. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
