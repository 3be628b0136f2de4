/** Only for callers who may administer the team; for everybody else the team does not exist. */
import { Controller, Inject } from '@nestjs/common';
import { type ByteReply, mayAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyAssets, deleteAsset, exportAssets } from '@tessera/contracts/tool-gateway';
import { applyDefinitions, changeDefinitions, faultsFailure, removeDefinition } from '@tessera/definitions';
import { fail, type Result } from '@tessera/failures';
import { jsonReply, OperationClient, type OperationContext, Serves } from '@tessera/messaging';
import { answerOnce, idempotentCallOf, mapDatabaseErrors } from '@tessera/persistence';
import { inTenant } from '@tessera/persistence/data-source';
import { EventPublishing } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { assetDefinitions, assetTables } from './asset-definitions.js';
import { checkAssets } from './check-assets.js';
import { knownNames } from './known-names.js';
import { Pools } from '../database.module.js';
import { type RequestOptions, requestOptionsToken } from '../http-request/request-context.js';
import type { Services } from '../tools/call-service.js';

@Controller()
export class AssetsHandler {
  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
    @Inject(OperationClient) private readonly services: Services,
    @Inject(requestOptionsToken) private readonly requests: RequestOptions,
    private readonly events: EventPublishing,
  ) {}

  @Serves(applyAssets)
  async apply(request: RequestOf<typeof applyAssets>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team, apply } = request;
    if (!mayAdminister(context.caller, team)) return notFound;
    const { services, requests } = this;
    const isDraft = apply.mode === 'draft';
    const names = await knownNames(apply.definitions, { services, team, isDraft, frame: context });
    if (!names.ok) return names;
    const call = idempotentCallOf({ schema: 'tool_gateway', tenant: team }, applyAssets, request);
    return this.#change(team, context, (writer) =>
      answerOnce(writer.client, call, async () => {
        const faults = await checkAssets(apply.definitions, { ...names.value, request: { ...requests, team } });
        if (faults.length > 0) return faultsFailure(faults);
        return jsonReply({ definitions: await applyDefinitions(assetDefinitions, writer, apply) });
      }),
    );
  }

  @Serves(deleteAsset)
  async delete(
    { team, assetId }: RequestOf<typeof deleteAsset>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteAsset>>> {
    if (!mayAdminister(context.caller, team)) return notFound;
    return this.#change(team, context, (writer) => removeDefinition(assetDefinitions, writer, assetId));
  }

  @Serves(exportAssets)
  async export({ team }: RequestOf<typeof exportAssets>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    if (!mayAdminister(caller, team)) return notFound;
    const read = (manager: EntityManager) => assetTables.readExport(manager, team);
    return mapDatabaseErrors(async () => jsonReply({ assets: await inTenant(this.source, team, read) }));
  }

  #change<T>(
    team: string,
    { caller: { subject }, requestId }: OperationContext,
    work: Parameters<typeof changeDefinitions<T>>[1],
  ): Promise<Result<T>> {
    const { source, pools, events } = this;
    return changeDefinitions({ source, pool: pools.definitions, team, subject, requestId, events }, work);
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
