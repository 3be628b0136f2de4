/**
 * The transactions of definitions. An apply: all of the request take effect, or none, in this order: wait for other
 * publications of the team, compare, write, tell. A deletion: the definition with its draft and its versions.
 * Refuses: definitions with faults; those were found before.
 */
import { countedFaults, fail, type Fault, type Result } from '@tessera/failures';
import { writeEvents, type Writer } from '@tessera/persistence';
import type { AppliedDefinition, Definition, DefinitionKind } from './definition.js';
import { planApply, type ApplyPlan } from './plan-apply.js';
import { storedDefinitions } from './stored-definitions.js';

/** Who changes definitions of a team, in whose transaction, by which request. */
export type DefinitionWriter = Writer & { readonly requestId: string };

export type ApplyRequest<D extends Definition> = {
  readonly definitions: readonly D[];
  readonly mode: 'publish' | 'draft' | 'check';
};

export const applyDefinitions = async <D extends Definition>(
  kind: DefinitionKind<D>,
  writer: DefinitionWriter,
  { definitions, mode }: ApplyRequest<D>,
): Promise<AppliedDefinition<D>[]> => {
  const { tables, parse, compare } = kind;
  const { client, team } = writer;
  if (mode !== 'check') await tables.lockTeam(client, team);
  const stored = storedDefinitions(await tables.readStored(client, team), parse);
  const plan = planApply(definitions, { stored, compare, isDraft: mode === 'draft' });
  if (mode !== 'check') await write(kind, writer, plan);
  return plan.applied;
};

const write = async <D extends Definition>(
  { tables, tellPublished }: DefinitionKind<D>,
  writer: DefinitionWriter,
  { versions, drafts }: ApplyPlan<D>,
): Promise<void> => {
  const { client, team, subject, requestId } = writer;
  if (drafts.length > 0) await tables.writeDrafts(writer, drafts);
  if (versions.length === 0) return;
  await tables.insertVersions(writer, versions);
  await tables.raiseRevision(client, team);
  const events = versions.map(({ definition, version }) => ({
    ...tellPublished(definition.id, version),
    subject,
    requestId,
  }));
  await writeEvents(client, team, events);
};

/** Whether it was there. */
export const removeDefinition = async <D extends Definition>(
  { tables, tellDeleted }: Pick<DefinitionKind<D>, 'tables' | 'tellDeleted'>,
  { client, team, subject, requestId }: DefinitionWriter,
  id: string,
): Promise<boolean> => {
  await tables.lockTeam(client, team);
  const found = (await tables.readStored(client, team)).find((stored) => stored.id === id);
  if (!found) return false;
  await tables.remove(client, team, id);
  // Nobody has heard of a definition that was never published.
  if (found.published) {
    await tables.raiseRevision(client, team);
    await writeEvents(client, team, [{ ...tellDeleted(id), subject, requestId }]);
  }
  return true;
};

/** What an apply answers when there are faults. */
export const faulty = (faults: readonly Fault[]): Result<never> =>
  fail('GENERAL_CONSTRAINT_VIOLATION', `The definitions have ${countedFaults(faults)}; nothing was changed.`, {
    faults,
  });
