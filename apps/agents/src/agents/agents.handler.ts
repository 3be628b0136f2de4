/**
 * List, apply, export and delete agents. All but the list need an administrator of the team; for everybody else the team does
 * not exist.
 */
import { Controller, Inject } from '@nestjs/common';
import { mayAdminister, type ByteReply, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { applyAgents, deleteAgent, exportAgents, listAgents } from '@tessera/contracts/agents';
import { applyDefinitions, changeDefinitions, faultsFailure, removeDefinition } from '@tessera/definitions';
import { fail, succeed, type Result } from '@tessera/failures';
import { jsonReply, OperationClient, Serves, type OperationContext } from '@tessera/messaging';
import { answerOnce, idempotentCallOf, mapDatabaseErrors, type PoolClient } from '@tessera/persistence';
import { EventPublishing } from '@tessera/service-kit';
import { Pools } from '../database.module.js';
import { Models } from '../models/models.js';
import { agentDefinitions, agentTables } from './agent-definitions.js';
import { Agents } from './agents.js';
import { checkAgents } from './check-agents.js';
import { knownAssets } from './known-assets.js';

@Controller()
export class AgentsHandler {
  constructor(
    private readonly pools: Pools,
    @Inject(OperationClient) private readonly services: Pick<OperationClient, 'call'>,
    @Inject(Models) private readonly models: Pick<Models, 'faultsOf'>,
    private readonly agents: Agents,
    private readonly events: EventPublishing,
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
    const { subject } = context.caller;
    if (!mayAdminister(context.caller, team)) return notFound;
    const { services, models } = this;
    const isDraft = apply.mode === 'draft';
    const assets = await knownAssets(apply.definitions, { services, team, isDraft, frame: context });
    if (!assets.ok) return assets;
    const call = idempotentCallOf({ schema: 'agents', tenant: team }, applyAgents, request);
    return this.#change(team, (client) =>
      answerOnce(client, call, async () => {
        const faults = await checkAgents(apply.definitions, { team, assets: assets.value, models });
        if (faults.length > 0) return faultsFailure(faults);
        const writer = { client, team, subject, requestId: context.requestId };
        return jsonReply({ definitions: await applyDefinitions(agentDefinitions, writer, apply) });
      }),
    );
  }

  @Serves(deleteAgent)
  async delete(
    { team, agentId }: RequestOf<typeof deleteAgent>,
    { caller, requestId }: OperationContext,
  ): Promise<Result<ReplyOf<typeof deleteAgent>>> {
    if (!mayAdminister(caller, team)) return notFound;
    return this.#change(team, (client) => {
      const writer = { client, team, subject: caller.subject, requestId };
      return removeDefinition(agentDefinitions, writer, agentId);
    });
  }

  @Serves(exportAgents)
  async export({ team }: RequestOf<typeof exportAgents>, { caller }: OperationContext): Promise<Result<ByteReply>> {
    if (!mayAdminister(caller, team)) return notFound;
    return mapDatabaseErrors(async () => jsonReply({ agents: await agentTables.readExport(this.pools.light, team) }));
  }

  #change<T>(team: string, work: (client: PoolClient) => Promise<Result<T>>): Promise<Result<T>> {
    return changeDefinitions({ pool: this.pools.definitions, team, events: this.events }, work);
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
