/** Only for callers who may administer the team; for everybody else the team does not exist. */
import { Controller, Inject } from '@nestjs/common';
import { type ByteReply, canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyAssets, deleteAsset, exportAssets } from '@tessera/contracts/tool-gateway';
import { applyDefinitions, changeDefinitions, toFaultsFailure, removeDefinition } from '@tessera/definitions';
import { fail, type Result } from '@tessera/failures';
import { createJsonReply, OperationClient, type OperationContext, Serves } from '@tessera/messaging';
import { runIdempotently, createIdempotentCall, mapDatabaseErrors } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { EventPublishTrigger } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { assetDefinitionKind, assetTables } from './asset-definitions.js';
import { checkAssets } from './check-assets.js';
import { fetchModelAndStorageNames } from './known-names.js';
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
    private readonly events: EventPublishTrigger,
  ) {}

  @Serves(applyAssets)
  async apply(request: RequestOf<typeof applyAssets>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team, apply } = request;
    if (!canAdminister(context.caller, team)) return assetNotFound;
    const { services, requests } = this;
    const isDraft = apply.mode === 'draft';
    const names = await fetchModelAndStorageNames(apply.definitions, { services, team, isDraft, frame: context });
    if (!names.ok) return names;
    const call = createIdempotentCall({ schema: 'tool_gateway', tenant: team }, applyAssets, request);
    return this.#change(team, context, (writer) =>
      runIdempotently(writer.client, call, async () => {
        const faults = await checkAssets(apply.definitions, { ...names.value, request: { ...requests, team } });
        if (faults.length > 0) return toFaultsFailure(faults);
        return createJsonReply({ definitions: await applyDefinitions(assetDefinitionKind, writer, apply) });
      }),
    );
  }

  @Serves(deleteAsset)
  async delete(
    { team, assetId }: RequestOf<typeof deleteAsset>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteAsset>>> {
    if (!canAdminister(context.caller, team)) return assetNotFound;
    return this.#change(team, context, (writer) => removeDefinition(assetDefinitionKind, writer, assetId));
  }

  @Serves(exportAssets)
  async export({ team }: RequestOf<typeof exportAssets>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    if (!canAdminister(caller, team)) return assetNotFound;
    const read = (manager: EntityManager) => assetTables.readExport(manager, team);
    return mapDatabaseErrors(async () =>
      createJsonReply({ assets: await runInTenantEntityTransaction(this.source, team, read) }),
    );
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

const assetNotFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
