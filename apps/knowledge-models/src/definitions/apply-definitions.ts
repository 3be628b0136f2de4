/**
 * The transaction of an apply: all definitions of the request take effect, or none. Steps in their order: wait for other
 * publications of the team, check, see what would break, compare, write, publish events. Definitions with faults are rejected, and so
 * is what would break published models that are not in the request.
 */
import { type ReplyOf, type RequestOf, digestDefinition, isMatch } from '@tessera/contracts';
import type {
  applyModelDefinitions,
  AppliedDefinition,
  KnowledgeModelDefinition,
  TableDefinition,
} from '@tessera/contracts/knowledge-models';
import { toFaultsFailure, readDefinitions, writePlan, planApply, type ApplyPlan } from '@tessera/definitions';
import { runInSlices } from '@tessera/fair-queue';
import { fail, maxFaults, succeed, type Fault, type Result } from '@tessera/failures';
import {
  type CheckedModel,
  type KnowledgeModelDefinitions,
  type SchemaColumns,
  checkColumns,
  checkModelInSteps,
  compareModels,
  compareTables,
} from '@tessera/knowledge-model';
import type { Pool, DefinitionWriteContext } from '@tessera/persistence';
import { readSchemaColumns } from '../database/columns.repository.js';
import {
  checkDefinitions,
  prefixFaultsWithDefinitionIndex,
  findBrokenChildren,
  findOpenModels,
  type BrokenModel,
} from './check-definitions.js';
import {
  versionedModelDefinitions,
  readTables,
  writeTables,
  type StoredTable,
  type TableToWrite,
} from './definitions.repository.js';
import {
  draftOrPublishedDefinitions,
  modelDefinitionKind,
  publishedDefinitions,
  type Definition,
  nameOfDefinition,
  type StoredModels,
} from './stored-definitions.js';

type ApplyRequest = RequestOf<typeof applyModelDefinitions>['apply'];
type AppliedDefinitions = ReplyOf<typeof applyModelDefinitions>;

/** Who applies, and where. */
type ApplyContext = DefinitionWriteContext & {
  readonly requestId: string;
  /** Where columns are looked up. */
  readonly pool: Pool;
  /** External ones that models of the team may read. */
  readonly databases: readonly string[];
};

export const applyInTransaction = async (
  applying: ApplyContext,
  request: ApplyRequest,
  ifMatch?: string,
): Promise<Result<AppliedDefinitions>> => {
  const { client, team, pool, databases } = applying;
  const { definitions: asked, mode } = request;
  if (mode !== 'check') await versionedModelDefinitions.lockTeam(client, team);
  const stored = await readDefinitions(modelDefinitionKind, applying);
  const overtaken = asked.filter(({ kind, id }) => kind === 'KnowledgeModel' && !isMatch(ifMatch, etagIn(stored, id)));
  if (overtaken.length > 0) return overtakenFailure(overtaken);
  const before = mode === 'draft' ? draftOrPublishedDefinitions(stored) : publishedDefinitions(stored);
  const { models, definitions: after, faults } = await checkDefinitions(asked, { team, stored: before, databases });
  const allFaults = request.againstDatabase
    ? [...faults, ...(await databaseFaults(asked, models, (schema) => readSchemaColumns(pool, team, schema)))]
    : faults;
  if (allFaults.length > 0) return refuseFaults(allFaults);
  const breaks =
    mode === 'draft' ? [] : await findBrokenChildren(before, after, changedIds(before, after, asked), team);
  if (mode === 'publish' && breaks.length > 0) return breakingFailure(breaks);
  const tables = await readTables(applying.manager, team);
  const plan = await planModelsAndTables(asked, { team, stored, tables, before, models, isDraft: mode === 'draft' });
  if (mode !== 'check') await writeDefinitionsAndTables(applying, plan);
  const openModels = mode === 'check' ? await findOpenModels(publishedDefinitions(stored), asked) : [];
  return succeed({
    definitions: [...plan.applied],
    breaks: [...breaks],
    ...(openModels.length > 0 && { openModels: [...openModels] }),
  });
};

const refuseFaults = (faults: readonly Fault[]): Result<never> =>
  faults.every(({ rule }) => rule === 'MODEL_POLICY_MISSING')
    ? fail('MODEL_POLICY_MISSING', `${faults[0]?.message}; nothing was changed.`, { faults })
    : toFaultsFailure(faults);

/** Of the draft, or of what is published of a model without one. */
const etagIn = (stored: StoredModels, id: string): string | undefined => {
  const { draft, published } = stored.get(id) ?? {};
  const latest = draft ?? published;
  return latest && `"${latest.digest}"`;
};

const overtakenFailure = (overtaken: readonly Definition[]): Result<never> =>
  fail('CONTENT_CHANGED', 'Somebody else has changed what you want to change; nothing was written.', {
    faults: overtaken
      .slice(0, maxFaults)
      .map(({ id }) => ({ in: 'models', path: id, message: 'is not as it was read', rule: 'changed' })),
  });

const changedIds = (
  before: KnowledgeModelDefinitions,
  after: KnowledgeModelDefinitions,
  asked: readonly Definition[],
): ReadonlySet<string> => new Set(asked.map(({ id }) => id).filter((id) => after.get(id) !== before.get(id)));

const writeDefinitionsAndTables = async (applying: ApplyContext, plan: DefinitionsApplyPlan): Promise<void> => {
  const { client, team } = applying;
  await writePlan(modelDefinitionKind, applying, plan);
  if (plan.tables.length === 0) return;
  await writeTables(applying.manager, team, plan.tables);
  // New versions have raised it.
  if (plan.versions.length === 0) await versionedModelDefinitions.raiseRevision(client, team);
};

const databaseFaults = async (
  asked: readonly Definition[],
  models: ReadonlyMap<string, CheckedModel>,
  read: (schema: string) => Promise<SchemaColumns>,
): Promise<readonly Fault[]> => {
  const schemas = new Map<string, SchemaColumns>();
  const faults: Fault[] = [];
  for (const [index, definition] of asked.entries()) {
    const checked = definition.kind === 'KnowledgeModel' ? models.get(definition.id) : undefined;
    if (definition.kind === 'Table' || !checked?.ok || checked.model.source.database !== undefined) continue;
    const { schema } = checked.model.source;
    const tables = schemas.get(schema) ?? (await read(schema));
    schemas.set(schema, tables);
    faults.push(...prefixFaultsWithDefinitionIndex(index, checkColumns(definition, checked.model, tables)));
  }
  return faults;
};

const breakingFailure = (breaks: readonly BrokenModel[]): Result<never> => {
  const ids = breaks.map(({ id }) => id);
  const named = ids.length > 5 ? `${ids.slice(0, 5).join(', ')}, ...` : ids.join(', ');
  return fail(
    'GENERAL_CONFLICT',
    `${countOf(ids.length, 'published model')} would not fit any more: ${named}. Apply what they become with the rest, or keep what they need; nothing was changed.`,
    {
      faults: breaks
        .slice(0, maxFaults)
        .map(({ id, message }) => ({ in: 'models', path: id, message, rule: 'breaks' })),
    },
  );
};

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export type DefinitionsApplyPlan = Pick<ApplyPlan<KnowledgeModelDefinition>, 'versions' | 'drafts'> & {
  /** In the order of the request. */
  readonly applied: readonly AppliedDefinition[];
  readonly tables: readonly TableToWrite[];
};

type PlanContext = {
  readonly team: string;
  readonly stored: StoredModels;
  readonly tables: ReadonlyMap<string, StoredTable>;
  /** What the stored models were checked with. */
  readonly before: KnowledgeModelDefinitions;
  /** The models of the request by id. */
  readonly models: ReadonlyMap<string, CheckedModel>;
  readonly isDraft: boolean;
};

export const planModelsAndTables = async (
  asked: readonly Definition[],
  context: PlanContext,
): Promise<DefinitionsApplyPlan> => {
  const { stored, isDraft } = context;
  const models = asked.filter((definition) => definition.kind === 'KnowledgeModel');
  const { applied, versions, drafts } = await planApply(models, {
    stored,
    isDraft,
    compare: compareWithStored(context),
  });
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

const compareWithStored =
  ({ team, models, before }: PlanContext) =>
  async (old: KnowledgeModelDefinition, definition: KnowledgeModelDefinition) => {
    const checked = models.get(definition.id);
    return compareModels(
      { definition: old, checked: await runInSlices(checkModelInSteps(old, before), team) },
      { definition, ...(checked && { checked }) },
    );
  };
