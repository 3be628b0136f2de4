/**
 * What a definition changes of the one that is there, and what of it may fail for those who use it: the changes of the
 * document, and changes of the whole model that break, be it through its base models.
 */
import type { DefinitionDifference } from '@tessera/contracts';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { CheckedModel } from '../check-model.js';
import { findBreakingModelChanges, findBreakingTableChanges, relationshipName } from './breaking-changes.js';
import { compareDocuments, type DocumentChange, type GetEntryName } from './compare-documents.js';

/** A model as it is written, and with its bases; without `checked` (it does not check) nothing is said to break. */
type ModelState = { readonly definition: KnowledgeModelDefinition; readonly checked?: CheckedModel };

const changesMax = 200;

export const compareModels = (before: ModelState, after: ModelState): readonly DefinitionDifference[] => {
  const isSound = before.checked?.ok && after.checked?.ok;
  const breaking = isSound ? findBreakingModelChanges(before.checked, after.checked) : [];
  return definitionChanges(compareDocuments(before.definition, after.definition, nameOf), breaking);
};

export const compareTables = (before: TableDefinition, after: TableDefinition): readonly DefinitionDifference[] =>
  definitionChanges(compareDocuments(before, after, nameOf), findBreakingTableChanges(before, after));

const nameOf: GetEntryName = (entry) => {
  if ('id' in entry) return String(entry.id);
  if ('from' in entry && 'to' in entry) return relationshipName({ from: String(entry.from), to: String(entry.to) });
  return 'record' in entry ? String(entry.record) : undefined;
};

/** What comes or goes takes along all that is in it; what changes is told member by member. */
const includesChange = ({ path, change }: DocumentChange, other: DocumentChange): boolean =>
  path.every((step, index) => other.path[index] === step) &&
  (change !== 'changed' || path.length === other.path.length);

/** A change breaks when it or something in it does; what breaks by no change of the document is told by itself. */
const definitionChanges = (
  changes: readonly DocumentChange[],
  breaking: readonly DocumentChange[],
): readonly DefinitionDifference[] => {
  const told = changes.map((change) => ({
    ...change,
    breaks: breaking.some((other) => includesChange(change, other)),
  }));
  const untold = breaking.filter((other) => !changes.some((change) => includesChange(change, other)));
  return [
    ...told.filter(({ breaks }) => breaks),
    ...untold.map((change) => ({ ...change, breaks: true })),
    ...told.filter(({ breaks }) => !breaks),
  ]
    .slice(0, changesMax)
    .map(({ path, change, breaks }) => ({ path: path.join('.'), change, breaks }));
};
