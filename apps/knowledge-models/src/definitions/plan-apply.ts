/**
 * What an apply does with each definition of its request, which has no faults: create it, change it or leave it alone, and
 * what changes with that. Refuses: to write; a plan is all that a check answers.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { digestDefinition } from '@tessera/contracts';
import type { AppliedDefinition, KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import {
  checkModel,
  compareModels,
  compareTables,
  type CheckedModel,
  type Definitions,
  type ModelState,
} from '@tessera/knowledge-model';
import type { DraftToWrite, VersionToWrite } from '@tessera/persistence';
import type { TableToWrite } from './definitions.repository.js';
import { nameOfDefinition, type Definition, type StoredDefinitions, type StoredModel } from './stored-definitions.js';

export type ApplyPlan = {
  /** In the order of the request. */
  readonly applied: readonly AppliedDefinition[];
  readonly versions: readonly VersionToWrite<KnowledgeModelDefinition>[];
  readonly drafts: readonly DraftToWrite<KnowledgeModelDefinition>[];
  readonly tables: readonly TableToWrite[];
};

export type PlanContext = {
  readonly stored: StoredDefinitions;
  /** What the stored models were checked with. */
  readonly before: Definitions;
  /** The models of the request by id. */
  readonly models: ReadonlyMap<string, CheckedModel>;
  readonly isDraft: boolean;
};

export const planApply = async (asked: readonly Definition[], context: PlanContext): Promise<ApplyPlan> => {
  const steps: Step[] = [];
  for (const definition of asked) {
    steps.push(planStep(definition, context));
    await othersTurn();
  }
  return {
    applied: steps.map(({ applied }) => applied),
    versions: steps.flatMap(({ version }) => version ?? []),
    drafts: steps.flatMap(({ draft }) => draft ?? []),
    tables: steps.flatMap(({ table }) => table ?? []),
  };
};

type Step = {
  readonly applied: AppliedDefinition;
  readonly version?: VersionToWrite<KnowledgeModelDefinition>;
  readonly draft?: DraftToWrite<KnowledgeModelDefinition>;
  readonly table?: TableToWrite;
};

const planStep = (definition: Definition, context: PlanContext): Step => {
  if (definition.kind === 'Table') return planTable(definition, context);
  return context.isDraft ? planDraft(definition, context) : planVersion(definition, context);
};

const planTable = (definition: TableDefinition, { stored }: PlanContext): Step => {
  const named = { kind: 'Table', id: nameOfDefinition(definition) } as const;
  const digest = digestDefinition(definition);
  const known = stored.tables.get(named.id);
  if (known?.digest === digest) return { applied: { ...named, state: 'unchanged', changes: [] } };
  const changes = known?.definition ? [...compareTables(known.definition, definition)] : [];
  return { applied: { ...named, state: known ? 'changed' : 'created', changes }, table: { definition, digest } };
};

const planVersion = (definition: KnowledgeModelDefinition, context: PlanContext): Step => {
  const { id } = definition;
  const digest = digestDefinition(definition);
  const published = context.stored.models.get(id)?.published;
  const named = { kind: 'KnowledgeModel', id } as const;
  if (published?.digest === digest)
    return { applied: { ...named, state: 'unchanged', version: published.version, changes: [] } };
  const version = (published?.version ?? 0) + 1;
  const changes = changesOf(published?.definition, definition, context);
  const state = published ? 'changed' : 'created';
  return { applied: { ...named, state, version, changes }, version: { definition, digest, version } };
};

/** A draft that says what is published is none. */
const planDraft = (definition: KnowledgeModelDefinition, context: PlanContext): Step => {
  const { id } = definition;
  const digest = digestDefinition(definition);
  const known = context.stored.models.get(id);
  const named = { kind: 'KnowledgeModel', id } as const;
  const current = known?.draft ?? known?.published;
  if (current?.digest === digest) return { applied: { ...named, state: 'unchanged', changes: [] } };
  return {
    applied: {
      ...named,
      state: known ? 'changed' : 'created',
      changes: changesOf(current?.definition, definition, context),
    },
    draft: { definition, digest, isDropped: isPublished(known, digest) },
  };
};

const isPublished = (known: StoredModel | undefined, digest: string): boolean => known?.published?.digest === digest;

const changesOf = (
  before: KnowledgeModelDefinition | undefined,
  definition: KnowledgeModelDefinition,
  context: PlanContext,
): AppliedDefinition['changes'] => {
  if (!before) return [];
  const checked = context.models.get(definition.id);
  const now: ModelState = { definition, ...(checked && { checked }) };
  return [...compareModels({ definition: before, checked: checkModel(before, context.before) }, now)];
};
