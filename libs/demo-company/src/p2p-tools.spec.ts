import { describe, expect, it } from '@jest/globals';
import { printAsset } from '@tessera/content-model';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { parse } from 'yaml';
import { p2pModels } from './p2p-model/p2p-models.js';
import { erpHost, northgateTools, p2pTools } from './p2p-tools.js';

const versions = Object.entries(p2pTools);
const all = Object.entries({ ...p2pTools, northgate: northgateTools });
const idsOf = ({ tools }: AgentToolsAssetDefinition) => tools.map(({ id }) => id);

describe('the tools of the demo', () => {
  it.each(all)('as %s are a definition, and are printed as they are read', (_, asset) => {
    expect(AgentToolsAssetDefinition.parse(asset)).toEqual(asset);
    expect(parse(printAsset(asset))).toEqual(asset);
  });

  it('have one of each kind, and one more in the draft', () => {
    expect(p2pTools.published.tools.map(({ kind }) => kind)).toEqual([
      ...['search-data', 'load-data', 'get-knowledge-model', 'get-insights', 'find-content', 'http-request'],
    ]);
    expect(idsOf(p2pTools.draft)).toEqual([...idsOf(p2pTools.published), 'invoice-status']);
    expect({ ...p2pTools.draft, tools: [] }).toEqual({ ...p2pTools.published, tools: [] });
  });

  it.each(all)('of the asset %s each have a long description of their own', (_, { tools }) => {
    const descriptions = tools.map(({ description = '' }) => description);
    for (const description of descriptions) expect(description.length).toBeGreaterThan(60);
    expect(new Set(descriptions).size).toBe(tools.length);
  });

  it.each(versions)('as %s ask the models and the ERP of meridian', (_, { tools }) => {
    const models = p2pModels.meridian.map(({ id }) => id);
    for (const tool of tools) {
      if ('knowledgeModel' in tool) expect(models).toContain(tool.knowledgeModel);
      if (tool.kind === 'http-request') expect(new URL(tool.request.url).host).toBe(erpHost);
    }
  });

  it('of northgate are those of meridian that read, under one id, over its own model and storage', () => {
    expect(northgateTools.id).toBe(p2pTools.published.id);
    const reading = p2pTools.published.tools.filter(({ kind }) => kind !== 'http-request');
    expect(northgateTools.tools.map(({ kind, id }) => [kind, id])).toEqual(reading.map(({ kind, id }) => [kind, id]));
    const asked = northgateTools.tools.map((tool) => ('knowledgeModel' in tool ? tool.knowledgeModel : tool));
    expect(asked.slice(0, -1).filter((id) => !p2pModels.northgate.some((model) => model.id === id))).toEqual([]);
    expect(asked.at(-1)).toMatchObject({ storage: 'northgate/p2p' });
  });

  it('name KPIs and fields that there are', () => {
    const [base] = p2pModels.meridian;
    const known = new Set([
      ...(base?.kpis ?? []).map(({ id }) => id),
      ...(base?.records ?? []).flatMap(({ id, attributes = [] }) => attributes.map((field) => `${id}.${field.id}`)),
    ]);
    const named = JSON.stringify(p2pTools.draft).match(/\b[A-Z_]{4,}\.[A-Z_]+\b|\b[A-Z]{3,}(?:_[A-Z]+)+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.has(name) && name !== 'ERP_TOKEN')).toEqual([]);
  });
});
