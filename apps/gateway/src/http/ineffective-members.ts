/**
 * Members of a body without effect: unknown ones whose names are ignored and, in the groups that read, optional ones that are
 * null. They are found by what a parse has against them, so that a body that fits costs nothing.
 */
import { valueAt, type Issue } from './faults.js';

export type IneffectiveRules = {
  /** The member of the input that is the body. */
  readonly body: string | undefined;
  readonly nullsAreAbsent: boolean;
  readonly isIgnored: (name: string) => boolean;
};

/** Deletes them from the input; true when there were any. */
export const removeIneffectiveMembers = (
  issues: readonly Issue[],
  input: object,
  { body, nullsAreAbsent, isIgnored }: IneffectiveRules,
): boolean => {
  let isRemoved = false;
  const remove = (holder: unknown, name: PropertyKey | undefined): void => {
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder) || name === undefined) return;
    isRemoved = (Object.hasOwn(holder, name) && Reflect.deleteProperty(holder, name)) || isRemoved;
  };
  for (const issue of issues.flatMap(withAlternatives)) {
    if (body === undefined || issue.path[0] !== body) continue;
    const value = valueAt(input, issue.path);
    if (issue.code === 'unrecognized_keys') issue.keys.filter(isIgnored).forEach((name) => remove(value, name));
    else if (nullsAreAbsent && value === null) remove(valueAt(input, issue.path.slice(0, -1)), issue.path.at(-1));
  }
  return isRemoved;
};

/** The issues with those of each shape, for a value that fits none of several. */
const withAlternatives = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const inner = issue.errors.flat().map((error) => ({ ...error, path: [...issue.path, ...error.path] }));
  return [issue, ...inner.flatMap(withAlternatives)];
};
