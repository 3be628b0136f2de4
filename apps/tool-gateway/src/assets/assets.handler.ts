/**
 * The assets of a team: apply, export, delete. Only for who may administer the team; for everybody else the team does not
 * exist. Refuses: to say what an apply does (apply-assets.ts).
 */
import { setTimeout as passed } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { mayAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyAssets, assetDeleted, deleteAsset, exportAssets } from '@tessera/contracts/tool-gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { jsonReply, Serves, type OperationContext } from '@tessera/messaging';
import {
  answerOnce,
  attemptInTenantTransaction,
  idempotentCallOf,
  orDatabaseFailure,
  writeEvents,
  type PoolClient,
} from '@tessera/persistence';
import { EventPublishing } from '@tessera/service-kit';
import { runtimeToken, type Runtime } from '../runtime.js';
import { applyInTransaction, faulty } from './apply-assets.js';
import { assetTables } from './asset-tables.repository.js';
import { assetsFreshMs } from './assets.js';
import { checkAssets } from './check-assets.js';
import { knownNames } from './known-names.js';

@Controller()
export class AssetsHandler {
  constructor(
    @Inject(runtimeToken) private readonly runtime: Pick<Runtime, 'pools' | 'services' | 'requests'>,
    private readonly events: EventPublishing,
  ) {}

  @Serves(applyAssets)
  async apply(request: RequestOf<typeof applyAssets>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team, apply } = request;
    const { subject } = context.caller;
    if (!mayAdminister(context.caller, team)) return notFound;
    const { services, requests } = this.runtime;
    const isDraft = apply.mode === 'draft';
    const names = await knownNames(apply.definitions, { services, team, isDraft, frame: context });
    if (!names.ok) return names;
    const call = idempotentCallOf({ schema: 'tool_gateway', tenant: team }, applyAssets, request);
    return this.#change(team, (client) =>
      answerOnce(client, call, async () => {
        const faults = await checkAssets(apply.definitions, { ...names.value, requests: { ...requests, team } });
        if (faults.length > 0) return faulty(faults);
        return jsonReply(await applyInTransaction({ client, team, subject, requestId: context.requestId }, apply));
      }),
    );
  }

  @Serves(deleteAsset)
  async delete(
    { team, assetId }: RequestOf<typeof deleteAsset>,
    { caller, requestId }: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteAsset>>> {
    if (!mayAdminister(caller, team)) return notFound;
    return this.#change(team, async (client) => {
      await assetTables.lockTeam(client, team);
      const asset = (await assetTables.readStored(client, team)).find(({ id }) => id === assetId);
      if (!asset) return notFound;
      await assetTables.remove(client, team, assetId);
      // Nobody has heard of an asset that was never published.
      if (asset.published) {
        await assetTables.raiseRevision(client, team);
        const by = { subject: caller.subject, requestId };
        await writeEvents(client, team, [{ event: assetDeleted, ...by, data: { assetId } }]);
      }
      return succeed({ deleted: assetId });
    });
  }

  @Serves(exportAssets)
  async export({ team }: RequestOf<typeof exportAssets>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    if (!mayAdminister(caller, team)) return notFound;
    return orDatabaseFailure(async () =>
      jsonReply({ assets: await assetTables.readExport(this.runtime.pools.light, team) }),
    );
  }

  /**
   * One transaction of the team that is administered; its events leave after it. It is answered when no replica calls by
   * what was there before; timers may be early by a millisecond.
   */
  async #change<T>(team: string, work: (client: PoolClient) => Promise<Result<T>>): Promise<Result<T>> {
    const done = await orDatabaseFailure(() => attemptInTenantTransaction(this.runtime.pools.definitions, team, work));
    if (!done.ok) return done;
    this.events.wake();
    await passed(assetsFreshMs + 2);
    return done;
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
