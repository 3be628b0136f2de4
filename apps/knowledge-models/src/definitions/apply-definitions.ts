/**
 * The transaction of an apply: all definitions of the request take effect, or none. Steps in their order: wait for other
 * publications of the team, check, see what would break, compare, write, tell.
 * Refuses: definitions with faults, and to break published models that are not in the request.
 */
import type { ReplyOf, RequestOf } from '@tessera/contracts';
import type { applyDefinitions } from '@tessera/contracts/knowledge-models';
import { faulty, readDefinitions, writePlan } from '@tessera/definitions';
import { fail, faultsMax, succeed, type Fault, type Result } from '@tessera/failures';
import type { CheckedModel, Definitions } from '@tessera/knowledge-model';
import type { Pool, Writer } from '@tessera/persistence';
import { columnsOf } from '../database/columns.repository.js';
import { checkAgainstDatabase, type SchemaColumns } from './check-against-database.js';
import { checkAsked, faultsAt } from './check-asked.js';
import { brokenChildren, type BrokenModel } from './check-children.js';
import { lockTeam, raiseRevision, readTables, writeTables } from './definitions.repository.js';
import { planModelsAndTables, type MixedPlan } from './plan-apply.js';
import { draftedDefinitions, modelKind, publishedDefinitions, type Definition } from './stored-definitions.js';

type ApplyRequest = RequestOf<typeof applyDefinitions>['apply'];
type Applied = ReplyOf<typeof applyDefinitions>;

/** Who applies, and where. */
type Applying = Writer & {
  readonly requestId: string;
  /** Where columns are looked up. */
  readonly pool: Pool;
  /** External ones that models of the team may read. */
  readonly databases: readonly string[];
};

export const applyInTransaction = async (applying: Applying, request: ApplyRequest): Promise<Result<Applied>> => {
  const { client, team, pool, databases } = applying;
  const { definitions: asked, mode } = request;
  if (mode !== 'check') await lockTeam(client, team);
  const stored = await readDefinitions(modelKind, applying);
  const before = mode === 'draft' ? draftedDefinitions(stored) : publishedDefinitions(stored);
  const { models, definitions: after, faults } = await checkAsked(asked, { stored: before, databases });
  const allFaults = request.againstDatabase
    ? [...faults, ...(await databaseFaults(asked, models, (schema) => columnsOf(pool, team, schema)))]
    : faults;
  if (allFaults.length > 0) return faulty(allFaults);
  const breaks = mode === 'draft' ? [] : await brokenChildren(before, after, changedIds(before, after, asked));
  if (mode === 'publish' && breaks.length > 0) return breaking(breaks);
  const tables = await readTables(client, team);
  const plan = await planModelsAndTables(asked, { stored, tables, before, models, isDraft: mode === 'draft' });
  if (mode !== 'check') await write(applying, plan);
  return succeed({ definitions: [...plan.applied], breaks: [...breaks] });
};

const changedIds = (before: Definitions, after: Definitions, asked: readonly Definition[]): ReadonlySet<string> =>
  new Set(asked.map(({ id }) => id).filter((id) => after.get(id) !== before.get(id)));

const write = async (applying: Applying, plan: MixedPlan): Promise<void> => {
  const { client, team } = applying;
  await writePlan(modelKind, applying, plan);
  if (plan.tables.length === 0) return;
  await writeTables(applying, plan.tables);
  // New versions have raised it.
  if (plan.versions.length === 0) await raiseRevision(client, team);
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
    faults.push(...faultsAt(index, checkAgainstDatabase(definition, checked.model, tables)));
  }
  return faults;
};

const breaking = (breaks: readonly BrokenModel[]): Result<never> => {
  const ids = breaks.map(({ id }) => id);
  const named = ids.length > 5 ? `${ids.slice(0, 5).join(', ')}, ...` : ids.join(', ');
  return fail(
    'GENERAL_CONFLICT',
    `${counted(ids.length, 'published model')} would not fit any more: ${named}. Apply what they become with the rest, or keep what they need; nothing was changed.`,
    {
      faults: breaks
        .slice(0, faultsMax)
        .map(({ id, message }) => ({ in: 'models', path: id, message, rule: 'breaks' })),
    },
  );
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
