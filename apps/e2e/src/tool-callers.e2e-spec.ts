/** A tool returns what its caller may see, through every tool and both endpoints: policies, scopes, teams. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordAnswers } from './compatibility/record-answers.js';
import { memberOf, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { createToolEndpoints, rpcResultOf, type ToolEndpoints } from './tool-endpoints.js';
import { callProduct, testTeam } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

const asset = {
  kind: 'AgentToolsAsset',
  id: 'trial.tools',
  tools: ['search-data', 'load-data', 'get-knowledge-model', 'get-insights'].map((kind) => ({
    kind,
    id: kind,
    knowledgeModel: testModelId,
  })),
};
const scopes = ['tools:execute', 'knowledge-models:read'];

let product: RunningProduct;
/** Sees everything; sees one company and no bank accounts; sees no sale; may not read models; of another team. */
let all: ToolEndpoints,
  restricted: ToolEndpoints,
  unprivileged: ToolEndpoints,
  without: ToolEndpoints,
  other: ToolEndpoints;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestModel(product);
  const applied = await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${testTeam}/tools`, {
    definitions: [asset],
  });
  if (applied.status !== 200) throw new Error(JSON.stringify(applied));
  const doors = async (known: object): Promise<ToolEndpoints> =>
    createToolEndpoints(product.gateways[0] ?? '', await createTestKey(product, { scopes, ...known }), asset.id);
  all = await doors({ furtherScopes: ['sales:all', 'finance:read'] });
  restricted = await doors({ attributes: { companies: ['1000'] } });
  unprivileged = await doors({});
  without = await doors({ scopes: ['tools:execute'] });
  other = createToolEndpoints(product.gateways[0] ?? '', product.environment['NORTHGATE_KEY'] ?? '', asset.id);
});

/** The same call by both doors, which must say the same. */
const both = async (doors: ToolEndpoints, tool: string, args: object): Promise<unknown> => {
  const http = await doors.http(tool, args);
  if (http.status !== 200) throw new Error(http.text);
  const mcp = rpcResultOf(await doors.mcp('tools/call', { name: tool, arguments: args }));
  expect(mcp).toEqual(http.document);
  return http.document;
};

const rowsOf = (document: unknown): unknown => memberOf(document, 'data_frame_content', 'data');

describe('policies of a model', () => {
  it('apply to the rows of load-data', async () => {
    const revenue = async (doors: ToolEndpoints) => rowsOf(await both(doors, 'load-data', { columns: ['REVENUE'] }));
    expect(await revenue(all)).toEqual([{ REVENUE: 500 }]);
    expect(await revenue(restricted)).toEqual([{ REVENUE: 350 }]);
    expect(await revenue(unprivileged)).toEqual([{ REVENUE: null }]);
  });

  it('hide a field from lists, descriptions, searches and queries', async () => {
    const message = async (doors: ToolEndpoints): Promise<readonly boolean[]> => {
      const texts = [
        (await doors.mcp('tools/list')).text,
        JSON.stringify(await both(doors, 'get-knowledge-model', {})),
        JSON.stringify(await both(doors, 'search-data', { search_terms: ['bank account', 'DE11'] })),
      ];
      return texts.map((text) => text.includes('BANK_ACCOUNT'));
    };
    expect(await message(all)).toEqual([true, true, true]);
    expect(await message(restricted)).toEqual([false, false, false]);
    const asked = async (column: string) => (await restricted.http('load-data', { columns: [column] })).text;
    const hidden = await asked('CUSTOMER.BANK_ACCOUNT');
    expect(hidden).toContain('"enum"');
    expect(hidden.replaceAll('BANK_ACCOUNT', 'BANC_ACCOUNT')).toBe(await asked('CUSTOMER.BANC_ACCOUNT'));
  });

  it('apply to the drivers of a KPI', async () => {
    const drivers = async (doors: ToolEndpoints) => {
      const document = await both(doors, 'get-insights', { kpi: 'REVENUE', field_ids: ['SALE.COMPANY'] });
      const insights = memberOf(document, 'insights');
      return Array.isArray(insights)
        ? insights.map((each) => [memberOf(each, 'value'), memberOf(each, 'contribution')])
        : insights;
    };
    expect(await drivers(all)).toEqual([
      ['1000', 350],
      ['2000', 150],
    ]);
    expect(await drivers(restricted)).toEqual([['1000', 350]]);
  });
});

describe('a caller of tools', () => {
  it('without the scope of the data gets 403, over MCP a result that names the scope', async () => {
    const { status, document } = await without.http('load-data', { columns: ['REVENUE'] });
    expect({ status, code: textOf(document, 'code') }).toEqual({ status: 403, code: 'ADMIN_ACCESS_ERROR' });
    const message = rpcResultOf(
      await without.mcp('tools/call', { name: 'load-data', arguments: { columns: ['REVENUE'] } }),
    );
    expect(message).toContain('knowledge-models:read');
    expect((await without.mcp('tools/list')).text).not.toContain('BANK');
  });

  it('of another team gets the same answer for an existing and an unknown asset', async () => {
    const nobody = createToolEndpoints(
      product.gateways[0] ?? '',
      product.environment['NORTHGATE_KEY'] ?? '',
      'nobody.tools',
    );
    const plain = (text: string) => text.replaceAll(asset.id, '<id>').replaceAll('nobody.tools', '<id>');
    for (const ask of [
      (doors: ToolEndpoints) => doors.http('load-data', { columns: ['REVENUE'] }),
      (doors: ToolEndpoints) => doors.mcp('tools/list'),
      (doors: ToolEndpoints) => doors.mcp('tools/list', {}, '?draft=true'),
    ]) {
      const [theirs, none] = [await ask(other), await ask(nobody)];
      expect([theirs.status, textOf(theirs.document, 'code')]).toEqual([404, 'TOOL_ASSET_NOTFOUND']);
      expect(plain(theirs.text)).toBe(plain(none.text));
    }
  });
});

recordAnswers();
