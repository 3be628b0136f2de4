/** What a line of the log of access says: of which kind it is, and what was changed by it. */
import type { AnswerFor } from '../../api/operations.js';

export type AccessChange = AnswerFor<'listAccessChanges'>['changes'][number];

export const changeKinds = ['member', 'role', 'key', 'session', 'client'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A new password is a matter of a member. */
export const kindOfChange = ({ action }: Pick<AccessChange, 'action'>): ChangeKind | undefined => {
  const [first] = action.split('.');
  return first === 'password' ? 'member' : changeKinds.find((kind) => kind === first);
};

export type MemberDifference = {
  readonly name: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

type Definition = Readonly<Record<string, unknown>>;

/** What differs between two definitions by their members: lists by their entries, anything else as a whole. */
export const differencesOf = (before: Definition = {}, after: Definition = {}): readonly MemberDifference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [textsOf(before[name]), textsOf(after[name])];
    const removed = old.filter((text) => !now.includes(text));
    const added = now.filter((text) => !old.includes(text));
    return removed.length + added.length === 0 ? [] : [{ name, removed, added }];
  });

const textsOf = (value: unknown): readonly string[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([name, inner]) => `${name}: ${[inner].flat().map(textOf).join(', ')}`);
  return [textOf(value)];
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
