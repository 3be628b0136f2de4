import { describe, expect, it } from '@jest/globals';
import { printAgent } from '@tessera/content-model';
import { AgentDefinition } from '@tessera/contracts/agents';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { parse } from 'yaml';
import { northgateAnalyst, p2pAnalyst } from './p2p-analyst.js';
import { northgateTools, p2pTools } from './p2p-tools.js';

const { published, draft } = p2pAnalyst;
const agents = { published, draft, 'that of northgate': northgateAnalyst };
const toolsOf = ({ tools }: AgentDefinition) => tools.flatMap((named) => named.tools ?? []);
const idsOf = ({ tools }: AgentToolsAssetDefinition) => tools.map(({ id }) => id);

describe('the agents of the demo', () => {
  it.each(Object.entries(agents))('%s: are a definition, and are printed as they are read', (_, agent) => {
    expect(AgentDefinition.parse(agent)).toEqual(agent);
    expect(AgentDefinition.parse(parse(printAgent(agent)))).toEqual(agent);
  });

  it.each([
    ['published', published, p2pTools.published],
    ['draft', draft, p2pTools.published],
    ['that of northgate', northgateAnalyst, northgateTools],
  ])('%s: have tools that are published, under the id of their asset', (_, agent, asset) => {
    expect(agent.tools.map((named) => named.asset)).toEqual([asset.id]);
    expect(idsOf(asset)).toEqual(expect.arrayContaining(toolsOf(agent)));
  });

  it('only read when they are published, and may block an invoice as the draft', () => {
    const acting = p2pTools.published.tools.filter(({ kind }) => kind === 'http-request').map(({ id }) => id);
    for (const agent of [published, northgateAnalyst])
      expect(toolsOf(agent).filter((id) => acting.includes(id))).toEqual([]);
    expect(toolsOf(draft)).toEqual([...toolsOf(published), 'block-invoice']);
  });

  it('have one id in both teams, and no word of the other team', () => {
    expect(northgateAnalyst.id).toBe(published.id);
    expect(JSON.stringify([northgateAnalyst, northgateTools])).not.toMatch(/meridian/i);
    expect(JSON.stringify([published, draft])).not.toMatch(/northgate/i);
  });
});
