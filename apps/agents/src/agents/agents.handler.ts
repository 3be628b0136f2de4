/**
 * List, apply, export and delete agents. All but the list need an administrator of the team; for everybody else the team does
 * not exist.
 */
import { Controller, Inject } from '@nestjs/common';
import { canAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyAgents, deleteAgent, exportAgents, listAgents } from '@tessera/contracts/agents';
import { applyDefinitions, changeDefinitions, toFaultsFailure, removeDefinition } from '@tessera/definitions';
import { fail, succeed, type Result } from '@tessera/failures';
import { createJsonReply, OperationClient, Serves, type OperationContext } from '@tessera/messaging';
import { runIdempotently, createIdempotentCall, mapDatabaseErrors } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { EventPublishTrigger } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { Pools } from '../database.module.js';
import { Models } from '../models/models.js';
import { agentDefinitionKind, agentTables } from './agent-definitions.js';
import { Agents } from './agents.js';
import { checkAgents } from './check-agents.js';
import { fetchToolIdsByAsset } from './known-assets.js';

@Controller()
export class AgentsHandler {
  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
    @Inject(OperationClient) private readonly services: Pick<OperationClient, 'call'>,
    @Inject(Models) private readonly models: Pick<Models, 'faultsOf'>,
    private readonly agents: Agents,
    private readonly events: EventPublishTrigger,
  ) {}

  @Serves(listAgents)
  async list(
    _request: RequestOf<typeof listAgents>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listAgents>>> {
    const found = await this.agents.list(caller.team);
    if (!found.ok) return found;
    return succeed({
      agents: found.value.flatMap(({ agentId, version, definition: { name, description } }) =>
        version === 'draft' ? [] : [{ id: agentId, name: name ?? agentId, description: description ?? '', version }],
      ),
    });
  }

  @Serves(applyAgents)
  async apply(request: RequestOf<typeof applyAgents>, context: OperationContext): Promise<Result<ByteReply>> {
    const { team, apply } = request;
    if (!canAdminister(context.caller, team)) return agentNotFound;
    const { services, models } = this;
    const isDraft = apply.mode === 'draft';
    const assets = await fetchToolIdsByAsset(apply.definitions, { services, team, isDraft, frame: context });
    if (!assets.ok) return assets;
    const call = createIdempotentCall({ schema: 'agents', tenant: team }, applyAgents, request);
    return this.#change(team, context, (writer) =>
      runIdempotently(writer.client, call, async () => {
        const faults = await checkAgents(apply.definitions, { team, assets: assets.value, models });
        if (faults.length > 0) return toFaultsFailure(faults);
        return createJsonReply({ definitions: await applyDefinitions(agentDefinitionKind, writer, apply) });
      }),
    );
  }

  @Serves(deleteAgent)
  async delete(
    { team, agentId }: RequestOf<typeof deleteAgent>,
    context: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteAgent>>> {
    if (!canAdminister(context.caller, team)) return agentNotFound;
    return this.#change(team, context, (writer) => removeDefinition(agentDefinitionKind, writer, agentId));
  }

  @Serves(exportAgents)
  async export({ team }: RequestOf<typeof exportAgents>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    if (!canAdminister(caller, team)) return agentNotFound;
    const read = (manager: EntityManager) => agentTables.readExport(manager, team);
    return mapDatabaseErrors(async () =>
      createJsonReply({ agents: await runInTenantEntityTransaction(this.source, team, read) }),
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

const agentNotFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
