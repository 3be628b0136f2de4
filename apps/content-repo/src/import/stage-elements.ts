/**
 * Checks elements against the definition of their import and stages them. All faults of a batch come at once; a batch
 * with a fault stages nothing.
 */
import { checkElement, elementIdOf, normaliseDefinition, type StorageModel } from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { fail, type Fault, type Result, succeed } from '@tessera/failures';
import { contentNotFound } from '../replies.js';
import {
  findImport,
  type ImportKey,
  type ImportTransaction,
  isImportBeingCommitted,
  type StagedElementRow,
  insertStagedRows,
} from './imports.repository.js';

export type StagingBatch = { readonly firstOrdinal: number; readonly elements: readonly ElementDocument[] };

export const stageBatch = async (
  { manager, client }: ImportTransaction,
  key: ImportKey,
  batch: StagingBatch,
): Promise<Result<{ readonly staged: number }>> => {
  // The lock first: what is read behind it is no outcome that comes a moment later.
  const isAtWork = await isImportBeingCommitted(client, key);
  const row = await findImport(manager, key);
  if (!row) return contentNotFound;
  if (row.outcome || isAtWork)
    return fail('CONTENT_CONFLICT', 'The import is committed already, or at it; begin another one.');
  const model = normaliseDefinition(row.definition);
  const rows = batch.elements.map((document, index) => stagedRow(model, document, batch.firstOrdinal + index));
  const faults = [...batchFaults(model, rows), ...duplicateFaults(rows)];
  if (faults.length > 0) return illegalBatch(faults);
  const stored = await insertStagedRows(client, key, rows);
  const twice = rows.filter(({ ordinal }) => !stored.has(ordinal)).map(duplicateFault);
  return twice.length > 0 ? illegalBatch(twice) : succeed({ staged: rows.length });
};

const stagedRow = (model: StorageModel, document: ElementDocument, ordinal: number): StagedElementRow => ({
  elementId: elementIdOf(model, document.id),
  ordinal,
  document,
});

const batchFaults = (model: StorageModel, rows: readonly StagedElementRow[]): readonly Fault[] =>
  rows.flatMap(({ ordinal, document }) =>
    checkElement(model, document).map((fault) => ({ ...fault, path: `${ordinal}.${fault.path}` })),
  );

const duplicateFaults = (rows: readonly StagedElementRow[]): readonly Fault[] => {
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    const twice = seen.has(row.elementId);
    seen.add(row.elementId);
    return twice ? [duplicateFault(row)] : [];
  });
};

const duplicateFault = ({ ordinal, document }: StagedElementRow): Fault => ({
  in: 'elements',
  path: `${ordinal}.id`,
  message: `the element "${document.id}" is given twice`,
  rule: 'twice',
});

const illegalBatch = (faults: readonly Fault[]): Result<never> =>
  fail(
    'GENERAL_CONSTRAINT_VIOLATION',
    'The elements do not fit the definition of the storage; nothing of the batch was staged.',
    { faults },
  );
