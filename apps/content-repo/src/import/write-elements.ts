/**
 * Writes a batch of planned elements: what the files say as they did is left alone, what differs is replaced, what was
 * changed over the API meanwhile is a fault. Renditions of what was replaced vanish, and those of elements that refer
 * to something whose identity changed; render-pending.ts makes them anew.
 */
import { digestPlan, planElement, findType } from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import type { Fault } from '@tessera/failures';
import type { ChangeEntry } from '../change/change.repository.js';
import { createConflictFault, isAlreadyApplied, decideImport, type ImportDecision } from './import-decision.js';
import type { ImportScope } from './imports.repository.js';
import { replaceElements, type ElementReplacement } from './replace-elements.js';
import {
  type PlannedElement,
  findLastChanges,
  findStoredElementRows,
  readStoredPlans,
  markAsApplied,
} from './stored-elements.repository.js';

export type StagedDocument = { readonly ordinal: number; readonly document: ElementDocument };

type WriteCounts = {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly versions: number;
};

export type WriteResult = {
  readonly counts: WriteCounts;
  /** What went to the bin. */
  readonly deleted: readonly ChangeEntry[];
  /** Elements that both the files and the API changed. */
  readonly conflicts: readonly Fault[];
};

export const emptyWriteResult: WriteResult = {
  counts: { created: 0, changed: 0, unchanged: 0, versions: 0 },
  deleted: [],
  conflicts: [],
};

export const addWriteResults = (left: WriteResult, right: WriteResult): WriteResult => ({
  counts: {
    created: left.counts.created + right.counts.created,
    changed: left.counts.changed + right.counts.changed,
    unchanged: left.counts.unchanged + right.counts.unchanged,
    versions: left.counts.versions + right.counts.versions,
  },
  deleted: [...left.deleted, ...right.deleted],
  conflicts: [...left.conflicts, ...right.conflicts],
});

export type WriteOptions = { readonly now: Date; readonly overwrite: boolean };

type DecidedElement = ElementReplacement & { readonly decision: ImportDecision };

export const writeElements = async (
  scope: ImportScope,
  batch: readonly StagedDocument[],
  { now, overwrite }: WriteOptions,
): Promise<WriteResult> => {
  const decided = await decideAll(scope, batch, overwrite);
  const those = (...decisions: readonly ImportDecision[]) =>
    decided.filter(({ decision }) => decisions.includes(decision));
  await markAsApplied(
    scope,
    those('take').map(({ file }) => file),
  );
  const { versions, deleted } = await replaceElements(scope, those('create', 'replace'), now);
  return {
    counts: {
      created: those('create').length,
      changed: those('replace').length,
      unchanged: those('leave', 'take').length,
      versions,
    },
    deleted,
    conflicts: await conflictsOf(scope, those('conflict')),
  };
};

const decideAll = async (
  scope: ImportScope,
  batch: readonly StagedDocument[],
  overwrite: boolean,
): Promise<readonly DecidedElement[]> => {
  const files = batch.map((staged) => planStaged(scope, staged));
  const storedById = await findStoredElementRows(
    scope,
    files.map(({ plan }) => plan.elementId),
  );
  const known = files.map((file) => ({ file, stored: storedById.get(file.plan.elementId) }));
  const differing = known.flatMap(({ file, stored }) =>
    stored && !isAlreadyApplied(file, stored) ? [stored.element_id] : [],
  );
  const plansById = await readStoredPlans(scope, differing);
  return known.map(({ file, stored }) => {
    const storedPlan = plansById.get(file.plan.elementId);
    return { file, stored, storedPlan, decision: decideImport(file, stored, storedPlan, overwrite) };
  });
};

const planStaged = ({ model }: ImportScope, { ordinal, document }: StagedDocument): PlannedElement => {
  const type = findType(model, document.type);
  if (!type) throw new Error(`An element of the unknown type ${document.type} was staged.`);
  const plan = planElement(model, type, document);
  return { ordinal, plan, digest: digestPlan(plan) };
};

const conflictsOf = async (scope: ImportScope, conflicts: readonly DecidedElement[]): Promise<readonly Fault[]> => {
  if (conflicts.length === 0) return [];
  const changes = await findLastChanges(
    scope,
    conflicts.map(({ file }) => file.plan.elementId),
  );
  return conflicts.flatMap(({ file, stored }) =>
    stored ? [createConflictFault(file, stored, changes.get(file.plan.elementId))] : [],
  );
};
