import { describe, expect, it } from '@jest/globals';
import { printAsset } from '@tessera/content-model';
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { parse } from 'yaml';
import { p2pModels } from './p2p-model/p2p-models.js';
import { erpHost, northgateToolAsset, p2pToolAssets } from './p2p-tools.js';

const versions = Object.entries(p2pToolAssets);
const all = Object.entries({ ...p2pToolAssets, northgate: northgateToolAsset });
const idsOf = ({ tools }: AgentToolsAssetDefinition) => tools.map(({ id }) => id);

describe('the tools of the demo', () => {
  it.each(all)('as %s are a valid definition that survives printing and parsing', (_, asset) => {
    expect(AgentToolsAssetDefinition.parse(asset)).toEqual(asset);
    expect(parse(printAsset(asset))).toEqual(asset);
  });

  it('include one of each kind, and one more in the draft', () => {
    expect(p2pToolAssets.published.tools.map(({ kind }) => kind)).toEqual([
      ...['search-data', 'load-data', 'get-knowledge-model', 'get-insights', 'find-content', 'http-request'],
    ]);
    expect(idsOf(p2pToolAssets.draft)).toEqual([...idsOf(p2pToolAssets.published), 'invoice-status']);
    expect({ ...p2pToolAssets.draft, tools: [] }).toEqual({ ...p2pToolAssets.published, tools: [] });
  });

  it.each(all)('of the asset %s each have a unique, long description', (_, { tools }) => {
    const descriptions = tools.map(({ description = '' }) => description);
    for (const description of descriptions) expect(description.length).toBeGreaterThan(60);
    expect(new Set(descriptions).size).toBe(tools.length);
  });

  it.each(versions)('as %s use the models and the ERP of meridian', (_, { tools }) => {
    const models = p2pModels.meridian.map(({ id }) => id);
    for (const tool of tools) {
      if ('knowledgeModel' in tool) expect(models).toContain(tool.knowledgeModel);
      if (tool.kind === 'http-request') expect(new URL(tool.request.url).host).toBe(erpHost);
    }
  });

  it('of northgate are the reading tools of meridian over its own model and storage, under the same asset id', () => {
    expect(northgateToolAsset.id).toBe(p2pToolAssets.published.id);
    const reading = p2pToolAssets.published.tools.filter(({ kind }) => kind !== 'http-request');
    expect(northgateToolAsset.tools.map(({ kind, id }) => [kind, id])).toEqual(
      reading.map(({ kind, id }) => [kind, id]),
    );
    const asked = northgateToolAsset.tools.map((tool) => ('knowledgeModel' in tool ? tool.knowledgeModel : tool));
    expect(asked.slice(0, -1).filter((id) => !p2pModels.northgate.some((model) => model.id === id))).toEqual([]);
    expect(asked.at(-1)).toMatchObject({ storage: 'northgate/p2p' });
  });

  it('refer only to existing KPIs and fields', () => {
    const [base] = p2pModels.meridian;
    const known = new Set([
      ...(base?.kpis ?? []).map(({ id }) => id),
      ...(base?.records ?? []).flatMap(({ id, attributes = [] }) => attributes.map((field) => `${id}.${field.id}`)),
    ]);
    const named = JSON.stringify(p2pToolAssets.draft).match(/\b[A-Z_]{4,}\.[A-Z_]+\b|\b[A-Z]{3,}(?:_[A-Z]+)+\b/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.has(name) && name !== 'ERP_TOKEN')).toEqual([]);
  });
});
