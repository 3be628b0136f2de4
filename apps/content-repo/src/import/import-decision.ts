/**
 * What becomes of an element, of which there are three: the file that was applied last, the file that comes now, and
 * what is stored. What was written over the API in between is never lost without being asked for.
 */
import { type ElementPlan, digestPlan } from '@tessera/content-model';
import type { Fault } from '@tessera/failures';
import type { PlannedElement, LastChange, StoredPlan, StoredElementRow } from './stored-elements.repository.js';

/**
 * `leave`: the file is the one that was applied last. `take`: it says what is stored. `replace`: it is another one, and
 * nothing was written in between, or the files win. `conflict`: both were changed.
 */
export type ImportDecision = 'create' | 'leave' | 'take' | 'replace' | 'conflict';

export const isAlreadyApplied = ({ digest }: PlannedElement, stored: StoredElementRow): boolean =>
  stored.digest?.equals(digest) === true;

export const decideImport = (
  file: PlannedElement,
  stored: StoredElementRow | undefined,
  storedPlan: StoredPlan | undefined,
  overwrite: boolean,
): ImportDecision => {
  if (!stored) return 'create';
  if (isAlreadyApplied(file, stored)) return 'leave';
  if (!stored.deleted && storedPlan && isSamePlan(file, storedPlan.plan)) return 'take';
  return overwrite || !isChangedSinceImport(stored, storedPlan) ? 'replace' : 'conflict';
};

/** A file may name an element by its identifier though it has a key. */
const isSamePlan = ({ plan, digest }: PlannedElement, { key, ...storedPlan }: ElementPlan): boolean => {
  const { elementId, ...rest } = storedPlan;
  const compared = plan.key === undefined || key === undefined ? { elementId, ...rest } : { elementId, key, ...rest };
  return digestPlan(compared).equals(digest);
};

/** What was changed and changed back, or deleted and restored, says what the file said that was applied last. */
const isChangedSinceImport = (stored: StoredElementRow, storedPlan: StoredPlan | undefined): boolean => {
  const { deleted, revision, applied_revision, digest } = stored;
  if (deleted || !digest) return true;
  return revision !== applied_revision && !(storedPlan && digestPlan(storedPlan.plan).equals(digest));
};

export const createConflictFault = (
  { ordinal, plan }: PlannedElement,
  { deleted, digest }: StoredElementRow,
  last: LastChange | undefined,
): Fault => {
  const what = deleted ? 'deleted' : digest ? 'changed' : 'made';
  const who = last ? ` by ${last.subject} at ${last.changedAt.toISOString()}` : '';
  const way = deleted
    ? 'restore it or take it out of the files, or apply with --overwrite to bring it back'
    : 'export it first, or apply with --overwrite';
  return {
    in: 'elements',
    path: `${ordinal}.id`,
    message: `"${plan.key ?? plan.elementId}" was ${what} over the API${who}, after the files were applied; ${way}`,
    rule: 'changed',
  };
};
