/**
 * Finds published agents that use a tool which their asset loses. The command line compares the two, because the
 * service that has assets does not know agents.
 */
import { exportAgents, type AgentDefinition } from '@tessera/contracts/agents';
import { normaliseToolId, type AppliedAsset } from '@tessera/contracts/tool-gateway';
import type { GatewayResult, Gateway } from '../gateway/gateway.js';

export type BrokenDefinition = {
  readonly kind: 'KnowledgeModel' | 'Agent';
  readonly id: string;
  readonly message: string;
};

type AssetChanges = {
  readonly team: string;
  /** What became, or would become, of the assets. */
  readonly assets: readonly Pick<AppliedAsset, 'id' | 'changes'>[];
  /** Agents that become these, too. */
  readonly agents: readonly AgentDefinition[];
};

/** Asks for the published agents only when a tool goes. */
export const findBrokenAgents = async (
  gateway: Gateway,
  { team, assets, agents }: AssetChanges,
): Promise<GatewayResult<readonly BrokenDefinition[]>> => {
  const lost = new Map(assets.map(({ id, changes }) => [id, removedTools(changes)]));
  if ([...lost.values()].every(({ size }) => size === 0)) return { ok: true, value: [] };
  const exported = await gateway.call(exportAgents, { team });
  if (!exported.ok) return exported;
  const published = exported.value.agents.flatMap(({ definition }) => definition ?? []);
  const others = published.filter(({ id }) => !agents.some((agent) => agent.id === id));
  return { ok: true, value: [...agents, ...others].flatMap((agent) => breakagesOf(agent, lost)) };
};

type ToolKeys = ReadonlySet<string>;

const removedTools = (changes: AppliedAsset['changes']): ToolKeys => {
  const toolsThat = (change: 'added' | 'removed'): readonly string[] =>
    changes.flatMap((one) => {
      const [, id] = one.change === change ? (/^tools\.([^.]+)$/.exec(one.path) ?? []) : [];
      return id === undefined ? [] : [normaliseToolId(id)];
    });
  const added = new Set(toolsThat('added'));
  // Who is called the same as before is not gone.
  return new Set(toolsThat('removed').filter((key) => !added.has(key)));
};

const breakagesOf = (
  { id, tools }: AgentDefinition,
  lost: ReadonlyMap<string, ToolKeys>,
): readonly BrokenDefinition[] =>
  tools.flatMap(({ asset, tools: used = [] }) =>
    used
      .filter((tool) => lost.get(asset)?.has(normaliseToolId(tool)))
      .map((tool): BrokenDefinition => ({
        kind: 'Agent',
        id,
        message: `the asset ${asset} has no tool ${tool} any more`,
      })),
  );
