/**
 * Changes between two definitions of an agent, member by member, tools by asset and id; and whether a change may break callers.
 * The order of tools does not count.
 */
import type { AgentDefinition, AppliedAgent } from '@tessera/contracts/agents';
import { compareMembers, type Members } from '@tessera/definitions';

export const compareAgents = (
  before: AgentDefinition,
  after: AgentDefinition,
): readonly AppliedAgent['changes'][number][] => {
  const { tools: toolsBefore, ...restBefore } = before;
  const { tools: toolsAfter, ...restAfter } = after;
  const assets = { before: byAsset(toolsBefore), after: byAsset(toolsAfter) };
  const whole = new Set(Object.entries(assets.after).flatMap(([id, tools]) => (tools === 'all' ? `tools.${id}` : [])));
  const parts = [
    { prefix: '', before: restBefore, after: restAfter },
    { prefix: 'tools.', ...assets },
  ];
  return compareMembers(parts, {
    isWhole: (path) => path === 'outputSchema',
    breaks: (path, change) => {
      if (path === 'outputSchema') return change !== 'added';
      // What changed is that all tools of the asset became some of them, or the other way round.
      return path.startsWith('tools.') && (change === 'removed' || (change === 'changed' && !whole.has(path)));
    },
  });
};

const byAsset = (entries: AgentDefinition['tools']): Members => {
  const assets: Record<string, Members | 'all'> = {};
  for (const { asset, tools } of entries) {
    const named = Object.fromEntries((tools ?? []).map((id) => [id, true]));
    const known = Object.hasOwn(assets, asset) ? assets[asset] : {};
    assets[asset] = tools === undefined || known === 'all' ? 'all' : { ...known, ...named };
  }
  return assets;
};
