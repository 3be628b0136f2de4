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
  checkModelInSteps,
  compareModels,
  compareTables,
} from '@tessera/knowledge-model';
import type { Pool, DefinitionWriteContext } from '@tessera/persistence';
import { readSchemaColumns } from '../database/columns.repository.js';
import { fitGenerationsInPlace } from '../loads/fit-generation.js';
import { checkDefinitions, findBrokenChildren, findOpenModels, type BrokenModel } from './check-definitions.js';
import { findBrokenReaders, findColumnFaults, readTableNamesOf, type ReadExternalSchema } from './check-tables.js';
import {
  versionedModelDefinitions,
  readTables,
  writeTables,
  type StoredTable,
  type TableToWrite,
} from './definitions.repository.js';
import { ReadableTables, type UnfitGeneration } from './readable-tables.js';
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
  readonly readExternal: ReadExternalSchema;
  /** For tables whose columns change. */
  readonly lockTimeoutMs: number;
};

/** Rejects with `TableBusyError` when a table whose columns change is being read or loaded. */
export const applyInTransaction = async (
  applying: ApplyContext,
  request: ApplyRequest,
  ifMatch?: string,
): Promise<Result<AppliedDefinitions>> => {
  const { client, team, pool } = applying;
  const { definitions: asked, mode } = request;
  const isDraft = mode === 'draft';
  if (mode !== 'check') await versionedModelDefinitions.lockTeam(client, team);
  const stored = await readDefinitions(modelDefinitionKind, applying);
  const overtaken = asked.filter(({ kind, id }) => kind === 'KnowledgeModel' && !isMatch(ifMatch, etagIn(stored, id)));
  if (overtaken.length > 0) return overtakenFailure(overtaken);
  const published = publishedDefinitions(stored);
  const before = isDraft ? draftOrPublishedDefinitions(stored) : published;
  const tables = await readTables(applying.manager, team);
  const readable = new ReadableTables(tables, tablesIn(asked), (schema) => readSchemaColumns(pool, team, schema));
  const checked = await checkRequest(applying, request, { stored, before, tables, readable });
  if (!checked.ok) return checked;
  const { models, after } = checked.value;
  const changed = changedIds(before, after, asked);
  const children = isDraft ? [] : await findBrokenChildren(before, after, changed, team);
  const told = new Set([...(isDraft ? [] : changed), ...children.map(({ id }) => id)]);
  const others = [...published.values()].filter(({ id }) => !told.has(id));
  const readers = await findBrokenReaders(others, {
    tables: readable,
    before: published,
    after: isDraft ? published : after,
  });
  const breaks = [...children, ...readers];
  if (mode !== 'check' && breaks.length > 0) return breakingFailure(breaks);
  const plan = await planModelsAndTables(asked, { team, stored, tables, before, models, isDraft });
  if (mode !== 'check') {
    const read = [...tablesIn(asked).map(nameOfDefinition), ...readTableNamesOf(models.values())];
    await writeDefinitionsAndTables(applying, plan, await readable.unfit(read));
  }
  const openModels = mode === 'check' ? await findOpenModels(published, asked) : [];
  return succeed({
    definitions: [...plan.applied],
    breaks: [...breaks],
    ...(openModels.length > 0 && { openModels: [...openModels] }),
  });
};

type CheckedRequest = {
  readonly models: ReadonlyMap<string, CheckedModel>;
  readonly after: KnowledgeModelDefinitions;
};

type CheckContext = Pick<PlanContext, 'stored' | 'before' | 'tables'> & { readonly readable: ReadableTables };

const checkRequest = async (
  { team, databases, readExternal }: ApplyContext,
  { definitions: asked, againstDatabase }: ApplyRequest,
  { stored, before, tables, readable }: CheckContext,
): Promise<Result<CheckedRequest>> => {
  const options = { team, stored: before, databases, tables };
  const { models, definitions: after, faults } = await checkDefinitions(asked, options);
  const isStored = (definition: KnowledgeModelDefinition): boolean =>
    stored.get(definition.id)?.published?.digest === digestDefinition(definition);
  const columnFaults = await findColumnFaults(asked, {
    ...{ models, tables: readable, databases, readExternal },
    isCompared: (definition) => againstDatabase || !withBases(definition, after).every(isStored),
  });
  const allFaults = [...faults, ...columnFaults];
  return allFaults.length > 0 ? refuseFaults(allFaults) : succeed({ models, after });
};

/** The definition, and what it is built on. */
const withBases = (
  definition: KnowledgeModelDefinition,
  others: KnowledgeModelDefinitions,
): readonly KnowledgeModelDefinition[] => {
  const chain = new Set<KnowledgeModelDefinition>();
  for (let next: KnowledgeModelDefinition | undefined = definition; next && !chain.has(next);) {
    chain.add(next);
    next = others.get(next.extends ?? '');
  }
  return [...chain];
};

const tablesIn = (asked: readonly Definition[]): readonly TableDefinition[] =>
  asked.filter((definition) => definition.kind === 'Table');

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

const writeDefinitionsAndTables = async (
  applying: ApplyContext,
  plan: DefinitionsApplyPlan,
  unfit: readonly UnfitGeneration[],
): Promise<void> => {
  const { client, team } = applying;
  await writePlan(modelDefinitionKind, applying, plan);
  if (plan.tables.length > 0) await writeTables(applying.manager, team, plan.tables);
  // New versions have raised it.
  if (plan.versions.length === 0 && plan.tables.length + unfit.length > 0)
    await versionedModelDefinitions.raiseRevision(client, team);
  // At the end: those who read these tables wait until the transaction is over.
  if (unfit.length > 0) await fitGenerationsInPlace(client, team, unfit, applying.lockTimeoutMs);
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
