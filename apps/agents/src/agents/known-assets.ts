/** The assets of a team with the ids of their tools, from the tool gateway; read only when a definition refers to one. */
import type { CallFrame } from '@tessera/contracts';
import type { AgentDefinition } from '@tessera/contracts/agents';
import { listToolNames } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import { callOperation, type OperationClient } from '@tessera/messaging';

/** Ids of tools by asset. */
export type ToolIdsByAsset = ReadonlyMap<string, readonly string[]>;

type AssetLookup = {
  readonly services: Pick<OperationClient, 'call'>;
  readonly team: string;
  /** A draft may refer to drafts; it is them that it would call. */
  readonly isDraft: boolean;
  readonly frame: CallFrame;
};

export const fetchToolIdsByAsset = async (
  definitions: readonly AgentDefinition[],
  { services, team, isDraft, frame }: AssetLookup,
): Promise<Result<ToolIdsByAsset>> => {
  if (definitions.every(({ tools }) => tools.length === 0)) return succeed(new Map());
  const named = await callOperation(services, listToolNames, { team }, frame);
  if (!named.ok) return named;
  const { published, drafts } = named.value;
  const assets = isDraft ? [...published, ...drafts] : published;
  return succeed(new Map(assets.map(({ id, tools }) => [id, tools])));
};
