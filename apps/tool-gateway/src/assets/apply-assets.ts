/**
 * The transaction of an apply: all assets of the request take effect, or none. Steps in their order: wait for other
 * publications of the team, compare, write, tell.
 * Refuses: definitions with faults; those were found before.
 */
import type { ReplyOf, RequestOf } from '@tessera/contracts';
import { assetPublished, type applyAssets } from '@tessera/contracts/tool-gateway';
import { fail, type Fault, type Result } from '@tessera/failures';
import { writeEvents, type Writer } from '@tessera/persistence';
import { assetTables } from './asset-tables.repository.js';
import { planApply, type ApplyPlan } from './plan-apply.js';
import { storedDefinitions } from './stored-definitions.js';

export type ApplyRequest = RequestOf<typeof applyAssets>['apply'];

export type Applying = Writer & { readonly requestId: string };

export const applyInTransaction = async (
  applying: Applying,
  { definitions, mode }: ApplyRequest,
): Promise<ReplyOf<typeof applyAssets>> => {
  const { client, team } = applying;
  if (mode !== 'check') await assetTables.lockTeam(client, team);
  const stored = storedDefinitions(await assetTables.readStored(client, team));
  const plan = planApply(definitions, stored, mode === 'draft');
  if (mode !== 'check') await write(applying, plan);
  return { definitions: plan.applied };
};

const write = async (applying: Applying, { versions, drafts }: ApplyPlan): Promise<void> => {
  const { client, team, subject, requestId } = applying;
  if (drafts.length > 0) await assetTables.writeDrafts(applying, drafts);
  if (versions.length === 0) return;
  await assetTables.insertVersions(applying, versions);
  await assetTables.raiseRevision(client, team);
  const events = versions.map(({ definition, version }) => ({
    event: assetPublished,
    subject,
    requestId,
    data: { assetId: definition.id, version },
  }));
  await writeEvents(client, team, events);
};

/** More would help nobody and might not fit into an answer. */
const faultsMax = 500;

export const faulty = (faults: readonly Fault[]): Result<never> =>
  fail(
    'GENERAL_CONSTRAINT_VIOLATION',
    `The definitions have ${faults.length} fault${faults.length === 1 ? '' : 's'}; nothing was changed.`,
    { faults: faults.slice(0, faultsMax) },
  );
