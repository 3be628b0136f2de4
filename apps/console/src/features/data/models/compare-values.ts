/** What a change of a definition was before and is now: the server says where, the definitions what. */
import type { AnswerFor } from '../../../api/operations.js';

export type Change = AnswerFor<'compareModelVersions'>['changes'][number];
export type ShownChange = Change & {
  /** As JSON; undefined where there is nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Entries of lists are called by their id; relationships and policies, which have none, by their records. */
const nameOfEntry = (entry: unknown): unknown => {
  const [from, to] = [memberOf(entry, 'from'), memberOf(entry, 'to')];
  if (typeof from === 'string' && typeof to === 'string') return `${from}->${to}`;
  return memberOf(entry, 'id') ?? memberOf(entry, 'record');
};

/** `records.PO_ITEM.attributes.AMOUNT.column`; undefined when there is nothing at the path. */
export const valueAt = (definition: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        Array.isArray(value) ? value.find((entry) => nameOfEntry(entry) === name) : memberOf(value, name),
      definition,
    );

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

export const showChanges = (changes: readonly Change[], before: unknown, after: unknown): readonly ShownChange[] =>
  changes.map((change) => ({
    ...change,
    before: change.change === 'added' ? undefined : textOf(valueAt(before, change.path)),
    after: change.change === 'removed' ? undefined : textOf(valueAt(after, change.path)),
  }));
