/** Group B at the edge: arguments in, a value or a failure in the shape of the group out; and the administration of assets. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { findOperations } from '@tessera/testing';
import { openTestStack, type TestStack } from '../testing/test-stack.js';
import { buildRequestWithMembers } from '../testing/write-request.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const toolPath = (tool: string): string => `${mcpPrefix}/p2p-tools/tool-api/${tool}`;
const call = (tool: string, body?: unknown) => stack.request(toolPath(tool), { method: 'POST', body });

describe('a call of a tool', () => {
  it('passes on the arguments unchanged, with the asset, the tool and the draft flag', async () => {
    const arguments_ = { columns: ['ORDER_NO'], filters: [], draft: false, pagesize: 3 };
    const { status, body } = await stack.request(`${toolPath('load_data')}?draft=true`, {
      method: 'POST',
      body: arguments_,
    });
    expect(status).toBe(200);
    expect(body?.['request']).toEqual({
      asset_id: 'p2p-tools',
      tool_id: 'load_data',
      draft: true,
      arguments: arguments_,
    });
  });

  it('passes on no arguments when there is no body', async () => {
    expect((await call('load-data')).body?.['request']).toEqual({
      asset_id: 'p2p-tools',
      tool_id: 'load-data',
      draft: false,
    });
  });

  it('may answer with text', async () => {
    const { status, headers, text } = await call('text', {});
    expect([status, text]).toEqual([200, '"as text"']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('lists every fault of its arguments with its path', async () => {
    const { status, headers, body } = await call('strict', {});
    expect(status).toBe(422);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual([
      {
        error: 'is not known',
        attribute: 'columns.1',
        errorCode: 'enum',
        additionalInfo: 'Did you mean AMOUNT?',
        in: 'body',
        path: 'columns.1',
        message: 'is not known',
        rule: 'enum',
        suggestion: 'AMOUNT',
        values: ['AMOUNT'],
      },
      {
        error: 'pageSize is missing',
        attribute: '',
        errorCode: 'required',
        additionalInfo: '',
        in: 'body',
        path: '',
        message: 'pageSize is missing',
        rule: 'required',
      },
    ]);
  });

  it.each([
    ['unknown', 404, 'TOOL_NOTFOUND', null],
    ['failing', 502, 'TOOL_FAILED', null],
    ['busy', 429, 'LIMIT_ASSET_EXCEEDED', '7'],
  ])('of %s fails with a Problem of status %d', async (tool, status, code, wait) => {
    const { headers, ...answer } = await call(tool, {});
    expect(answer).toMatchObject({ status, body: { status, code, instance: toolPath(tool) } });
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(headers.get('retry-after')).toBe(wait);
  });

  it.each([
    ['{"columns": nope}', 'application/json', 400, 'GENERAL_BODY_MALFORMED'],
    ['{}', 'text/plain', 415, 'GENERAL_MEDIATYPE_UNSUPPORTED'],
    ['{}', 'no type', 415, 'GENERAL_MEDIATYPE_UNSUPPORTED'],
  ])('with the body %s as %s fails with a Problem', async (body, type, status, code) => {
    const headers = { 'Content-Type': type };
    const answer = await stack.request(toolPath('load-data'), { method: 'POST', body, headers });
    expect(answer).toMatchObject({ status, body: { status, code } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  it.each([
    ['without a credential', () => undefined, 401, 'ACCESS_UNAUTHORIZED'],
    ['without the scope', () => stack.keys.reader, 403, 'ADMIN_ACCESS_ERROR'],
    ['of a team that has no such asset', () => stack.keys.northgate, 404, 'TOOL_ASSET_NOTFOUND'],
  ])('%s fails with a Problem', async (_, keyOf, status, code) => {
    const answer = await stack.request(toolPath('load-data'), { method: 'POST', body: {}, key: keyOf() });
    expect(answer).toMatchObject({ status, body: { status, code } });
  });
});

describe('lists for callers of tools', () => {
  const page = { after: 'p2p', pageSize: 2 };
  const callId = '00000000-0000-4000-8000-000000000001';
  const from = '2026-05-07T08:30:00Z';
  it.each([
    ['tools.assets.list', `${mcpPrefix}?after=p2p&pageSize=2`, page],
    ['tools.list', `${mcpPrefix}/p2p-tools/tool-api?draft=true`, { asset_id: 'p2p-tools', draft: true }],
    [
      'tools.calls.listOwn',
      `/studio-copilot/api/v1/tool-calls?assetId=a&toolId=t&outcome=ok&from=${from}&to=${from}&pageSize=2&after=${callId}`,
      { assetId: 'a', toolId: 't', outcome: 'ok', from, to: from, pageSize: 2, after: callId },
    ],
  ])('%s reads each member from its place and requires the scope', async (operation, path, request) => {
    const { status, body } = await stack.request(path);
    expect([status, body]).toMatchObject([200, { operation, request }]);
    expect((await stack.request(path, { key: stack.keys.reader })).status).toBe(403);
  });
});

describe('the administration of assets', () => {
  const asset = {
    kind: 'AgentToolsAsset',
    id: 'p2p-tools',
    tools: [{ kind: 'load-data', id: 'load-data', knowledgeModel: 'p2p' }],
  };
  const written = {
    pageSize: { text: '7', value: 7 },
    team: { text: 'meridian', value: 'meridian' },
    from: { text: '2026-05-07T08:30:00Z', value: '2026-05-07T08:30:00Z' },
    to: { text: '2026-05-08T08:30:00Z', value: '2026-05-08T08:30:00Z' },
    after: { text: '00000000-0000-4000-8000-000000000001', value: '00000000-0000-4000-8000-000000000001' },
  };
  const operations = findOperations(toolGateway, 'admin').map((each) => [each.name, each] as const);

  it.each(operations)(
    '%s: reads each request member from path, query, header or body, and requires the scope',
    async (_, operation) => {
      const { path, options, expected } = buildRequestWithMembers(operation, written, {
        definitions: [asset],
        mode: 'check',
      });
      const { status, body } = await stack.request(path, { ...options, key: stack.keys.meridianAdmin });
      expect([status, body?.['request']]).toEqual([200, expected]);
      expect((await stack.request(path, options)).status).toBe(403);
    },
  );

  it('reports every fault of a definition with its path', async () => {
    const wrong = { ...asset, tools: [{ ...asset.tools[0], kind: 'load-dat' }] };
    const { status, body } = await stack.request('/admin/teams/meridian/tools', {
      method: 'POST',
      body: { definitions: [wrong] },
      key: stack.keys.meridianAdmin,
    });
    expect([status, body?.['code']]).toEqual([400, 'GENERAL_CONSTRAINT_VIOLATION']);
    expect(body?.['faults']).toMatchObject([{ in: 'body', path: 'definitions.0.tools.0.kind' }]);
  });
});
