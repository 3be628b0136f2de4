import { describe, expect, it } from '@jest/globals';
import { printAgent } from '@tessera/content-model';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { parse } from 'yaml';
import { northgateAnalystAgent, p2pAnalystAgents } from './p2p-analyst.js';
import { northgateToolAsset, p2pToolAssets } from './p2p-tools.js';

const { published, draft } = p2pAnalystAgents;
const agents = { published, draft, 'that of northgate': northgateAnalystAgent };
const toolsOf = ({ tools }: AgentDefinition) => tools.flatMap((named) => named.tools ?? []);
const idsOf = ({ tools }: AgentToolsAssetDefinition) => tools.map(({ id }) => id);

describe('the agents of the demo', () => {
  it.each(Object.entries(agents))('%s: are a valid definition that survives printing and parsing', (_, agent) => {
    expect(AgentDefinition.parse(agent)).toEqual(agent);
    expect(AgentDefinition.parse(parse(printAgent(agent)))).toEqual(agent);
  });

  it.each([
    ['published', published, p2pToolAssets.published],
    ['draft', draft, p2pToolAssets.published],
    ['that of northgate', northgateAnalystAgent, northgateToolAsset],
  ])('%s: use only published tools, under the id of their asset', (_, agent, asset) => {
    expect(agent.tools.map((named) => named.asset)).toEqual([asset.id]);
    expect(idsOf(asset)).toEqual(expect.arrayContaining(toolsOf(agent)));
  });

  it('can only read when published, and can block an invoice in the draft', () => {
    const acting = p2pToolAssets.published.tools.filter(({ kind }) => kind === 'http-request').map(({ id }) => id);
    for (const agent of [published, northgateAnalystAgent])
      expect(toolsOf(agent).filter((id) => acting.includes(id))).toEqual([]);
    expect(toolsOf(draft)).toEqual([...toolsOf(published), 'block-invoice']);
  });

  it('have the same id in both teams, and do not mention the other team', () => {
    expect(northgateAnalystAgent.id).toBe(published.id);
    expect(JSON.stringify([northgateAnalystAgent, northgateToolAsset])).not.toMatch(/meridian/i);
    expect(JSON.stringify([published, draft])).not.toMatch(/northgate/i);
  });
});
