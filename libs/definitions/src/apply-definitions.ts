/**
 * The transactions of definitions. An apply is all or nothing: it waits for other publications of the team, compares, writes,
 * and writes the events.
 */
import { type Fault, type Result, describeFaultCount, fail, succeed } from '@tessera/failures';
import { type Pool, type DefinitionWriteContext, mapDatabaseErrors, writeEvents } from '@tessera/persistence';
import { attemptInTenantEntityTransaction } from '@tessera/persistence/data-source';
import type { EventPublishTrigger } from '@tessera/service-kit';
import type { DataSource } from 'typeorm';
import { waitForReplicas } from './definition-reader.js';
import {
  type AppliedDefinition,
  type Definition,
  type DefinitionKind,
  type StoredDefinitions,
  parseStoredDefinitions,
} from './definition.js';
import { type ApplyPlan, planApply } from './plan-apply.js';

/** Who changes definitions of a team, in whose transaction, by which request. */
type DefinitionWriter = DefinitionWriteContext & { readonly requestId: string };

type ApplyRequest<D extends Definition> = {
  readonly definitions: readonly D[];
  readonly mode: 'publish' | 'draft' | 'check';
};

export const applyDefinitions = async <D extends Definition>(
  kind: DefinitionKind<D>,
  writer: DefinitionWriter,
  { definitions, mode }: ApplyRequest<D>,
): Promise<AppliedDefinition<D>[]> => {
  if (mode !== 'check') await kind.tables.lockTeam(writer.client, writer.team);
  const stored = await readDefinitions(kind, writer);
  const plan = await planApply(definitions, { stored, compare: kind.compare, isDraft: mode === 'draft' });
  if (mode !== 'check') await writePlan(kind, writer, plan);
  return plan.applied;
};

/** Of the team, as far as they parse. */
export const readDefinitions = async <D extends Definition>(
  { tables, parse }: Pick<DefinitionKind<D>, 'tables' | 'parse'>,
  { manager, team }: Pick<DefinitionWriteContext, 'manager' | 'team'>,
): Promise<StoredDefinitions<D>> => parseStoredDefinitions(await tables.readStored(manager, team), parse);

/** The lock of the team is held. */
export const writePlan = async <D extends Definition>(
  { tables, publishedEvent }: Pick<DefinitionKind<D>, 'tables' | 'publishedEvent'>,
  writer: DefinitionWriter,
  { versions, drafts }: Pick<ApplyPlan<D>, 'versions' | 'drafts'>,
): Promise<void> => {
  const { client, team, subject, requestId } = writer;
  if (drafts.length > 0) await tables.writeDrafts(writer, drafts);
  if (versions.length === 0) return;
  await tables.insertVersions(writer, versions);
  await tables.raiseRevision(client, team);
  const events = versions.map(({ definition, version }) => ({
    ...publishedEvent(definition.id, version),
    subject,
    requestId,
  }));
  await writeEvents(client, team, events);
};

/** Failures: GENERAL_NOTFOUND, and what `refuse` answers while others of the team rely on it. */
export const removeDefinition = async <D extends Definition>(
  kind: Pick<DefinitionKind<D>, 'tables' | 'parse' | 'deletedEvent'>,
  writer: DefinitionWriter,
  id: string,
  refuse: (stored: StoredDefinitions<D>) => Result<never> | undefined = () => undefined,
): Promise<Result<{ deleted: string }>> => {
  const { tables, deletedEvent } = kind;
  const { manager, client, team, subject, requestId } = writer;
  await tables.lockTeam(client, team);
  const stored = await readDefinitions(kind, writer);
  const found = stored.get(id);
  if (!found) return fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
  const refused = refuse(stored);
  if (refused) return refused;
  await tables.remove(manager, team, id);
  // Nobody has heard of a definition that was never published.
  if (found.published) {
    await tables.raiseRevision(client, team);
    await writeEvents(client, team, [{ ...deletedEvent(id), subject, requestId }]);
  }
  return succeed({ deleted: id });
};

/** What an apply answers when there are faults. */
export const toFaultsFailure = (faults: readonly Fault[]): Result<never> =>
  fail('GENERAL_CONSTRAINT_VIOLATION', `The definitions have ${describeFaultCount(faults)}; nothing was changed.`, {
    faults,
  });

/** Who changes definitions in one transaction of the team. */
type ChangeOptions = {
  readonly source: DataSource;
  /** Whose connection the transaction takes. */
  readonly pool: Pool;
  readonly team: string;
  readonly subject: string;
  readonly requestId: string;
  /** Woken when what `work` wrote is committed. */
  readonly events: EventPublishTrigger;
};

/** One transaction of the team. Failures: those of `work`, and an outage of the database. */
export const changeDefinitions = async <T>(
  { source, pool, team, subject, requestId, events }: ChangeOptions,
  work: (writer: DefinitionWriter) => Promise<Result<T>>,
): Promise<Result<T>> => {
  const done = await mapDatabaseErrors(() =>
    attemptInTenantEntityTransaction(
      source,
      team,
      (manager, client) => work({ manager, client, team, subject, requestId }),
      { pool },
    ),
  );
  if (!done.ok) return done;
  events.wake();
  await waitForReplicas();
  return done;
};
