/** An agent of a cloud at an MCP server: it knows an address and an API key, and OAuth for the rest. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { memberOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { callProduct, testTeam } from './test-storage.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

const asset = {
  kind: 'AgentToolsAsset',
  id: 'cloud.tools',
  tools: [{ kind: 'load-data', id: 'load-data', knowledgeModel: testModelId }],
};

let product: RunningProduct;
let gateway: string;
let key: string;
beforeAll(async () => {
  product = await getSharedProduct();
  [gateway = ''] = product.gateways;
  await createTestModel(product);
  const applied = await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${testTeam}/tools`, {
    definitions: [asset],
  });
  if (applied.status !== 200) throw new Error(JSON.stringify(applied));
  const scopes = ['tools:execute', 'knowledge-models:read'];
  key = await createTestKey(product, { scopes, attributes: { companies: ['1000'] } });
});

const send = async (url: string, authorization: string | undefined, body: string | URLSearchParams) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body,
  });
  return { status: response.status, headers: response.headers, document: parseJson(await response.text()) };
};
const read = async (url: string): Promise<unknown> => parseJson(await (await fetch(url)).text());

/** What the protected resource leads to: the address of tokens, and how the server calls itself. */
const discover = async (address: string) => {
  const refused = await send(address, undefined, '{}');
  expect(refused.status).toBe(401);
  const [, metadataUrl = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  const resource = await read(metadataUrl);
  const issuer = textOf(resource, 'authorization_servers', 0);
  const server = await read(`${issuer}/.well-known/oauth-authorization-server`);
  expect(textOf(server, 'issuer')).toBe(issuer);
  return { tokenEndpoint: textOf(server, 'token_endpoint'), resource: textOf(resource, 'resource') };
};

describe('an agent that knows an address and a key', () => {
  it('gets a token for the MCP server, lists its tools and calls one, within the policies of its key', async () => {
    const { tokenEndpoint, resource } = await discover(`${gateway}${mcpPrefix}/${asset.id}`);
    const scope = 'mcp-asset.tools:execute knowledge-models:read';
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope, resource });
    const issued = await send(tokenEndpoint, `Basic ${Buffer.from(`agent:${key}`).toString('base64')}`, form);
    expect([issued.status, memberOf(issued.document, 'token_type')]).toEqual([200, 'Bearer']);
    const bearer = `Bearer ${textOf(issued.document, 'access_token')}`;
    const speak = async (method: string, params: object) => {
      const answer = await send(resource, bearer, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      expect(answer.status).toBe(200);
      return memberOf(answer.document, 'result');
    };
    const started = await speak('initialize', {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'agent', version: '1' },
    });
    expect(started).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(await speak('tools/list', {})).toMatchObject({ tools: [{ name: 'load-data' }] });
    const called = await speak('tools/call', { name: 'load-data', arguments: { columns: ['REVENUE'] } });
    expect(memberOf(called, 'structuredContent', 'data_frame_content', 'data')).toEqual([{ REVENUE: 350 }]);
    // The token is for this server alone.
    const models = `${gateway}/intelligence/api/knowledge-models`;
    expect((await fetch(models, { headers: { Authorization: bearer } })).status).toBe(401);
  });
});
