/**
 * What an apply does with each definition of its request, which has no faults: create it, change it or leave it alone, and
 * what changes with that. Nothing is written; a plan is all that a check answers.
 */
import { digestDefinition } from '@tessera/contracts';
import type { AppliedDefinition, KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { planApply, type ApplyPlan } from '@tessera/definitions';
import {
  checkModel,
  compareModels,
  compareTables,
  type CheckedModel,
  type Definitions,
} from '@tessera/knowledge-model';
import type { StoredTable, TableToWrite } from './definitions.repository.js';
import { nameOfDefinition, type Definition, type StoredModels } from './stored-definitions.js';

export type MixedPlan = Pick<ApplyPlan<KnowledgeModelDefinition>, 'versions' | 'drafts'> & {
  /** In the order of the request. */
  readonly applied: readonly AppliedDefinition[];
  readonly tables: readonly TableToWrite[];
};

type PlanContext = {
  readonly stored: StoredModels;
  readonly tables: ReadonlyMap<string, StoredTable>;
  /** What the stored models were checked with. */
  readonly before: Definitions;
  /** The models of the request by id. */
  readonly models: ReadonlyMap<string, CheckedModel>;
  readonly isDraft: boolean;
};

export const planModelsAndTables = async (asked: readonly Definition[], context: PlanContext): Promise<MixedPlan> => {
  const { stored, isDraft } = context;
  const models = asked.filter((definition) => definition.kind === 'KnowledgeModel');
  const { applied, versions, drafts } = await planApply(models, { stored, isDraft, compare: comparing(context) });
  const ofModels = new Map(applied.map((each) => [each.id, each]));
  const tables: TableToWrite[] = [];
  const all = asked.flatMap((definition): AppliedDefinition | readonly AppliedDefinition[] => {
    if (definition.kind === 'KnowledgeModel') return ofModels.get(definition.id) ?? [];
    const planned = planTable(definition, context.tables);
    if (planned.state !== 'unchanged') tables.push({ definition, digest: digestDefinition(definition) });
    return planned;
  });
  return { applied: all, versions, drafts, tables };
};

const planTable = (definition: TableDefinition, tables: PlanContext['tables']): AppliedDefinition => {
  const named = { kind: 'Table', id: nameOfDefinition(definition) } as const;
  const known = tables.get(named.id);
  if (known?.digest === digestDefinition(definition)) return { ...named, state: 'unchanged', changes: [] };
  const changes = known?.definition ? [...compareTables(known.definition, definition)] : [];
  return { ...named, state: known ? 'changed' : 'created', changes };
};

const comparing =
  ({ models, before }: PlanContext) =>
  (old: KnowledgeModelDefinition, definition: KnowledgeModelDefinition) => {
    const checked = models.get(definition.id);
    return compareModels(
      { definition: old, checked: checkModel(old, before) },
      { definition, ...(checked && { checked }) },
    );
  };
