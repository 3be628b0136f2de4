/**
 * `tessera delete KIND ID`: deletes a table, knowledge model, asset or agent. What still reads it is named first: by its service, and by
 * the command line where another service has the readers.
 */
import { deleteAgent, exportAgents } from '@tessera/contracts/agents';
import { deleteModel, deleteTable } from '@tessera/contracts/knowledge-models';
import { deleteAsset, exportAssets } from '@tessera/contracts/tool-gateway';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway, GatewayResult } from '../gateway/gateway.js';
import type { DeletableKind } from '../program-data.js';
import { reportFailure, reportUsageError, withGateway, type CommandContext, type JsonOption } from './command.js';

export type DeleteOptions = JsonOption & { readonly team: string; readonly force?: boolean };

type Deletion = { readonly kind: DeletableKind; readonly id: string };

export const deleteCommand = (
  context: CommandContext,
  { kind, id }: Deletion,
  { team, force = false, json = false }: DeleteOptions,
): Promise<ExitCode> | ExitCode => {
  if (kind === 'table' && id.split('.').length !== 2)
    return reportUsageError(context, `"${id}" is no table; name it as schema.table.`);
  return withGateway(context, async (gateway) => {
    const readers = force ? succeeded([]) : await findReaders(gateway, team, { kind, id });
    if (!readers.ok) return reportFailure(context, readers.refusal);
    if (readers.value.length > 0) {
      for (const reader of readers.value) context.terminal.print(`${reader} reads the ${kind} ${id}`);
      context.terminal.note('Nothing was deleted; delete or change these first, or add --force.');
      return exitCodes.faults;
    }
    const answer = await requestDeletion(gateway, team, { kind, id });
    if (!answer.ok) return reportFailure(context, answer.refusal);
    context.terminal.print(json ? JSON.stringify(answer.value, null, 2) : `The ${kind} ${id} is deleted.`);
    return exitCodes.done;
  });
};

const requestDeletion = (
  gateway: Gateway,
  team: string,
  { kind, id }: Deletion,
): Promise<GatewayResult<{ readonly deleted: string }>> => {
  switch (kind) {
    case 'table': {
      const [schema = '', table = ''] = id.split('.');
      return gateway.call(deleteTable, { team, schema, table });
    }
    case 'model':
      return gateway.call(deleteModel, { team, modelId: id });
    case 'asset':
      return gateway.call(deleteAsset, { team, assetId: id });
    case 'agent':
      return gateway.call(deleteAgent, { team, agentId: id });
  }
};

const succeeded = <Value>(value: Value): GatewayResult<Value> => ({ ok: true, value });

/** Those of other services: assets of a model, agents of an asset; published or drafted. */
const findReaders = async (
  gateway: Gateway,
  team: string,
  { kind, id }: Deletion,
): Promise<GatewayResult<readonly string[]>> => {
  if (kind === 'model') {
    const exported = await gateway.call(exportAssets, { team });
    if (!exported.ok) return exported;
    const reads = exported.value.assets.filter(({ definition, draft }) =>
      [definition, draft].some((each) =>
        each?.tools.some((tool) => 'knowledgeModel' in tool && tool.knowledgeModel === id),
      ),
    );
    return succeeded(reads.map((asset) => `asset ${asset.id}`));
  }
  if (kind === 'asset') {
    const exported = await gateway.call(exportAgents, { team });
    if (!exported.ok) return exported;
    const reads = exported.value.agents.filter(({ definition, draft }) =>
      [definition, draft].some((each) => each?.tools.some(({ asset }) => asset === id)),
    );
    return succeeded(reads.map((agent) => `agent ${agent.id}`));
  }
  return succeeded([]);
};
