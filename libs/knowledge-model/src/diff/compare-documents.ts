/**
 * What differs between two documents, member by member; entries of lists by what they are called, wherever they stand.
 * What is null counts as not there.
 */
import { isDeepStrictEqual } from 'node:util';

export type DocumentChange = {
  /** Members by name, entries by what they are called. */
  readonly path: readonly string[];
  readonly change: 'added' | 'removed' | 'changed';
};

/** What an entry of a list is called; undefined when it has no name, and the list counts as one value. */
export type GetEntryName = (entry: object) => string | undefined;

/** No change when the documents are equal, at least one when they are not. */
export const compareDocuments = (before: unknown, after: unknown, nameOf: GetEntryName): readonly DocumentChange[] =>
  compareValues([], before, after, nameOf);

type Path = readonly string[];

const compareValues = (
  path: Path,
  before: unknown,
  after: unknown,
  nameOf: GetEntryName,
): readonly DocumentChange[] => {
  if (isAbsent(before)) return isAbsent(after) ? [] : [{ path, change: 'added' }];
  if (isAbsent(after)) return [{ path, change: 'removed' }];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [left, right] = [namedEntries(before, nameOf), namedEntries(after, nameOf)];
    if (left && right) return compareEntries(path, left, right, nameOf);
  } else if (isObject(before) && isObject(after)) return compareMembers(path, before, after, nameOf);
  return isDeepStrictEqual(before, after) ? [] : [{ path, change: 'changed' }];
};

const compareMembers = (path: Path, before: object, after: object, nameOf: GetEntryName): readonly DocumentChange[] => {
  const [left, right] = [new Map<string, unknown>(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) =>
    compareValues([...path, name], left.get(name), right.get(name), nameOf),
  );
};

type NamedEntry = { readonly name: string; readonly entry: object };
type Pair = { readonly name: string; readonly before: object; readonly after: object; readonly place: number };

const compareEntries = (
  path: Path,
  before: readonly NamedEntry[],
  after: readonly NamedEntry[],
  nameOf: GetEntryName,
): readonly DocumentChange[] => {
  const { pairs, removed, added } = pairEntries(before, after);
  const hasMoved = pairs.some(({ place }, index) => place < (pairs[index - 1]?.place ?? 0));
  return [
    ...(hasMoved ? [{ path, change: 'changed' } as const] : []),
    ...removed.map((name) => ({ path: [...path, name], change: 'removed' }) as const),
    ...pairs.flatMap((pair) => compareMembers([...path, pair.name], pair.before, pair.after, nameOf)),
    ...added.map((name) => ({ path: [...path, name], change: 'added' }) as const),
  ];
};

/** Of entries with the same name, those that are equal belong together, then those that come in the same order. */
const pairEntries = (before: readonly NamedEntry[], after: readonly NamedEntry[]) => {
  const left = new Map(after.entries());
  const takeFirst = (fits: (candidate: NamedEntry) => boolean): { after: object; place: number } | undefined => {
    for (const [place, candidate] of left)
      if (fits(candidate)) {
        left.delete(place);
        return { after: candidate.entry, place };
      }
    return undefined;
  };
  const equals = before.map(({ name, entry }) =>
    takeFirst((candidate) => candidate.name === name && isDeepStrictEqual(candidate.entry, entry)),
  );
  const pairs: Pair[] = [];
  const removed: string[] = [];
  before.forEach(({ name, entry }, index) => {
    const partner = equals[index] ?? takeFirst((candidate) => candidate.name === name);
    if (partner) pairs.push({ name, before: entry, ...partner });
    else removed.push(name);
  });
  return { pairs, removed, added: [...left.values()].map(({ name }) => name) };
};

const namedEntries = (list: readonly unknown[], nameOf: GetEntryName): readonly NamedEntry[] | undefined => {
  const entries = list.flatMap((entry) => {
    const name = isObject(entry) ? nameOf(entry) : undefined;
    return isObject(entry) && name !== undefined ? [{ name, entry }] : [];
  });
  return entries.length === list.length ? entries : undefined;
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
