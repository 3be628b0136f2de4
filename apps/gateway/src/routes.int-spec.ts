import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { fillPath, idempotencyParameter, acceptsIdempotencyKey } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';
import * as contentRepo from '@tessera/contracts/content-repo';
import * as own from '@tessera/contracts/gateway';
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import * as toolGateway from '@tessera/contracts/tool-gateway';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parameterLines } from './testing/parameter-lines.js';
import { openTestStack, type TestStack } from './testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const golden = join(import.meta.dirname, '../routes.golden.txt');
/** What everybody may read. */
const isPublic = (path: string): boolean =>
  ['/', '/health/live', '/health/ready', '/metrics', '/openapi.json'].includes(path) ||
  /^\/(docs|console|\.well-known\/oauth-(?:protected-resource|authorization-server)|\.well-known\/openid-configuration|\.well-known\/tessera-evidence-keys|oauth2|sign-in|sign-out)(\/|$)/.test(
    path,
  );

type Member = { readonly [name: string]: unknown };
const member = (value: unknown, ...path: readonly string[]): Member =>
  path.reduce<Member>((at, name) => at[name] as Member, value as Member);

const servedOperations = () =>
  stack.gateway.routes.flatMap(({ method, operation }) => (method === 'HEAD' ? [] : (operation ?? [])));

describe('the routes', () => {
  it('equal the golden list, with their parameters (written anew when the file is missing)', async () => {
    const { body: document } = await stack.request('/openapi.json');
    const routes = stack.gateway.routes.filter(({ method }) => method !== 'HEAD');
    const lines = routes.map(({ method, path, operation }) =>
      operation
        ? [
            `${method} ${path} ${operation.http.group} ${operation.scope} ${operation.name}`,
            ...parameterLines(document, operation.http.path, method.toLowerCase()),
          ].join('\n  ')
        : `${method} ${path.replace(/^\/docs\/\d+\.\d+\.\d+\//, '/docs/:version/')} public`,
    );
    const listed = `${lines.sort().join('\n')}\n`;
    if (!existsSync(golden)) writeFileSync(golden, listed);
    expect(listed).toBe(readFileSync(golden, 'utf8'));
  });

  it('have an operation and a scope each, except the public ones', () => {
    for (const { path, operation } of stack.gateway.routes)
      expect(isPublic(path) ? 'public' : operation?.scope).toMatch(
        /^\/(me|(sessions?|client-grants)(\/.*)?)$/.test(path) ? /^none$/ : /^(public|[a-z-]+:[a-z]+|admin)$/,
      );
  });

  it('serve every declared operation exactly once', () => {
    const served = servedOperations().map(({ name }) => name);
    const declared = [contentRepo, knowledgeModels, toolGateway, agents, own]
      .flatMap((owner) => Object.values(owner))
      .flatMap((each) => (typeof each === 'object' && each !== null && 'http' in each ? [each.name] : []));
    expect(served.toSorted()).toEqual(declared.toSorted());
  });

  it('accept an Idempotency-Key on every writing POST but a sign-in, including messages to agents, and nowhere else', () => {
    const operations = servedOperations();
    const writing = operations.filter(
      ({ http, effect }) =>
        http.method === 'post' && (effect === 'write' || http.isTurn === true) && http.isSignIn === undefined,
    );
    expect(operations.filter(acceptsIdempotencyKey)).toEqual(writing);
    for (const { request, http } of writing) {
      expect(http.headers).toMatchObject({ idempotencyKey: 'idempotency-key' });
      expect(request.shape['idempotencyKey']).toBe(idempotencyParameter.idempotencyKey);
    }
  });

  it('serve HEAD exactly where they serve GET', () => {
    const of = (wanted: string) =>
      stack.gateway.routes.flatMap(({ method, path }) => (method === wanted ? [path] : [])).toSorted();
    expect(of('HEAD')).toEqual(of('GET'));
  });

  it('answer 401 to a caller without a credential, and 403 to a sign-in that is not sent by a page of the platform', async () => {
    for (const { method, path, operation } of stack.gateway.routes) {
      if (!operation) continue;
      const asked = fillPath(operation.http, (member) => (member === 'key' ? '(1)' : 'x'));
      const { status } = await stack.request(asked, { method, key: undefined });
      expect([path, status]).toEqual([path, operation.http.isSignIn ? 403 : 401]);
    }
  });
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 and public', async () => {
    const { status, headers, body } = await stack.request('/openapi.json', { key: undefined });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(body)));
    expect(result).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(body?.['servers']).toEqual([{ url: `http://localhost:${stack.gateway.port}` }]);
  });

  it('describes every served operation with its scope, and nothing else', async () => {
    const { body } = await stack.request('/openapi.json');
    const described = Object.values(member(body, 'paths')).flatMap((path) =>
      Object.values(path as Member).map(
        (each) => `${String(member(each)['operationId'])} ${String(member(each)['x-scope'])}`,
      ),
    );
    const served = servedOperations().map(({ name, scope }) => `${name} ${scope}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it('states types, lists and defaults as the contract does', async () => {
    const { body } = await stack.request('/openapi.json');
    const path = '/{collectionId}/{storageId}/_api/rest/facets/{facetId}/views/{viewId}/elements';
    const parameters = member(body, 'paths', path, 'get')['parameters'] as readonly Member[];
    const named = (name: string) => parameters.find((each) => each['name'] === name);
    expect(named('collectionId')).toMatchObject({ in: 'path', required: true });
    expect(named('$page')).toMatchObject({ in: 'query', required: false, schema: { type: 'integer', default: 1 } });
    const data = member(body, 'paths', '/intelligence/api/knowledge-models/{km_id}/data', 'get');
    expect((data['parameters'] as readonly Member[]).find((each) => each['name'] === 'filterExpr')).toMatchObject({
      style: 'form',
      explode: true,
      schema: { type: 'array' },
    });
    expect(named('$select')).toMatchObject({ style: 'form', explode: false, schema: { type: 'array' } });
    expect(named('api-version')).toMatchObject({
      in: 'header',
      schema: { enum: ['1.0', '2.0', '4.0'], default: '4.0' },
    });
  });

  it('has an example of each parameter, body and successful response, without placeholders in addresses', async () => {
    const { body } = await stack.request('/openapi.json');
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/"instance":"[^"]*\{/);
    expect(text).not.toMatch(/There is nothing at [^"]*\{/);
    const operations = Object.values(member(body, 'paths')).flatMap((path) =>
      Object.values(path as Member).map((each) => member(each)),
    );
    const without = operations.flatMap(({ operationId, parameters, requestBody, responses }) => {
      const described = (parameters as readonly Member[] | undefined) ?? [];
      const contents = [member(requestBody ?? {})['content'], member(responses, '200')['content']];
      return [
        ...described.filter((each) => !('example' in each) && !('examples' in member(each, 'schema'))),
        ...contents.flatMap((content) =>
          Object.values(member(content ?? {})).filter((each) => !('example' in member(each))),
        ),
      ].map((each) => `${String(operationId)}: ${JSON.stringify(each)}`);
    });
    expect(without).toEqual([]);
  });

  it('contains the keyword explode only in parameters', async () => {
    const { body } = await stack.request('/openapi.json');
    const places = (value: unknown, place: string): readonly string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([name, inner]) =>
            name === 'explode' ? [place] : places(inner, `${place}/${name}`),
          );
    const found = places(body, '');
    expect(found.length).toBeGreaterThan(10);
    expect(found.filter((place) => !/\/parameters\/\d+$/.test(place))).toEqual([]);
  });

  it('describes where an Idempotency-Key is accepted, what it does and how it is refused', async () => {
    const { body } = await stack.request('/openapi.json');
    const { parameters, responses } = member(body, 'paths', '/admin/keys', 'post');
    expect(parameters).toMatchObject([
      { in: 'header', name: 'idempotency-key', required: false, schema: { pattern: '^[ -~]{1,255}$' } },
    ]);
    expect(member(responses, '200', 'headers')).toHaveProperty('Idempotency-Replayed');
    expect(member(responses, '409', 'headers')).toHaveProperty('Retry-After');
    const examples = member(responses, '422', 'content', 'application/problem+json', 'examples');
    expect(Object.keys(examples)).toEqual(['GENERAL_IDEMPOTENCY_MISMATCH']);
  });

  it('describes failures in the error format of their interface, with the rate limit headers', async () => {
    const { body } = await stack.request('/openapi.json');
    const read = member(body, 'paths', '/{collectionId}/{storageId}/_api/rest/facets', 'get', 'responses');
    expect(Object.keys(read)).toEqual(['200', '304', '400', '401', '403', '404', '429', '500', '503']);
    expect(member(read, '429', 'headers')).toHaveProperty('X-RateLimit-Reset');
    const content = member(read, '404', 'content', 'application/json');
    expect(content['schema']).toEqual({ $ref: '#/components/schemas/OperationResult' });
    expect(member(content, 'examples', 'CONTENT_NOTFOUND', 'value')).toMatchObject({ output: 'Dialog', type: 'Error' });
    const admin = member(body, 'paths', '/admin/keys', 'post', 'responses', '413', 'content');
    expect(Object.keys(admin)).toEqual(['application/problem+json']);
  });
});

describe('the OpenAPI document of agent tools', () => {
  const asset = '/studio-copilot/api/v1/mcp-servers/mcp/{asset_id}';
  const described = async (path: string) => member((await stack.request('/openapi.json')).body, 'paths', path, 'post');
  const codesOf = (responses: unknown, status: string, mediaType: string) =>
    Object.keys(member(responses, status, 'content', mediaType, 'examples'));

  it('describes invalid arguments as a list and every other failure as a Problem', async () => {
    const { requestBody, responses } = await described(`${asset}/tool-api/{tool_id}`);
    expect(requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { type: 'object' } } },
    });
    expect(codesOf(responses, '422', 'application/json')).toEqual(['TOOL_ARGUMENTS_INVALID']);
    expect(member(responses, '422', 'content', 'application/json')['schema']).toEqual({
      $ref: '#/components/schemas/ValidationErrors',
    });
    const problem = 'application/problem+json';
    expect(codesOf(responses, '404', problem)).toEqual(['TOOL_ASSET_NOTFOUND', 'TOOL_NOTFOUND']);
    expect(codesOf(responses, '429', problem)).toEqual(['LIMIT_RATE_EXCEEDED', 'LIMIT_ASSET_EXCEEDED']);
    expect(codesOf(responses, '502', problem)).toEqual(['TOOL_FAILED', 'TOOL_RESULT_INVALID']);
    expect(codesOf(responses, '400', problem)).toContain('GENERAL_BODY_MALFORMED');
  });

  it('describes an MCP server as an endpoint that accepts JSON and reports its own failures', async () => {
    const { requestBody, responses, parameters } = await described(asset);
    expect(requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { description: 'JSON-RPC.' } } },
    });
    expect(Object.keys(member(responses, '200', 'content'))).toEqual(['application/json', 'text/event-stream']);
    expect(member(responses, '202')).not.toHaveProperty('content');
    const problem = 'application/problem+json';
    expect(codesOf(responses, '403', problem)).toEqual(['ADMIN_ACCESS_ERROR', 'MCP_ORIGIN_REFUSED']);
    expect(codesOf(responses, '405', problem)).toEqual(['GENERAL_METHOD_NOTALLOWED']);
    expect(member(responses, '405', 'headers')).toHaveProperty('Allow');
    expect(codesOf(responses, '400', problem)).toEqual(['GENERAL_PARAMETER_ILLEGAL']);
    const jsonRpc = ['400', '406', '415'].map((status) => codesOf(responses, status, 'application/json'));
    expect(jsonRpc).toEqual([['NO_JSON', 'NO_MESSAGE', 'UNSUPPORTED_VERSION'], ['NOT_ACCEPTABLE'], ['NO_JSON_TYPE']]);
    expect((parameters as readonly Member[]).map(({ name }) => name)).toContain('mcp-protocol-version');
  });
});

describe('the OpenAPI document of agents', () => {
  const agent = '/intelligence/api/ai/agents/{agent_id}';
  const described = async (path: string, method: string) =>
    member((await stack.request('/openapi.json')).body, 'paths', path, method);
  const problem = { $ref: '#/components/schemas/Problem' };

  it('describes a turn as a document or as events, and the limits of a message', async () => {
    const { parameters, requestBody, responses } = await described(`${agent}/conversations`, 'post');
    const names = (parameters as readonly Member[]).map(({ in: place, name }) => `${String(place)} ${String(name)}`);
    expect(names).toEqual([
      ...['path agent_id', 'query draft', 'header idempotency-key', 'header accept', 'header prefer'],
    ]);
    expect(requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Message' } } },
    });
    const content = member(responses, '200', 'content');
    expect(content['application/json']).toMatchObject({ schema: { $ref: '#/components/schemas/ChatResponse' } });
    expect(content['text/event-stream']).toMatchObject({ schema: { type: 'string' } });
    expect(member(responses, '409', 'headers')).toHaveProperty('Retry-After');
    expect(Object.keys(member(responses, '409', 'content', 'application/problem+json', 'examples'))).toEqual([
      'GENERAL_IDEMPOTENCY_RUNNING',
      'AGENT_CONVERSATION_BUSY',
    ]);
    const { Message, ChatResponse } = member((await stack.request('/openapi.json')).body, 'components', 'schemas');
    expect(Message).toMatchObject({
      required: ['message'],
      additionalProperties: false,
      properties: { message: { type: 'string', minLength: 1, maxLength: 32_000 }, conversationId: { type: 'string' } },
    });
    expect(ChatResponse).toMatchObject({
      properties: { conversationId: { type: 'string' }, text: { type: 'string' } },
    });
  });

  it.each([
    ['/conversations', 'post'],
    ['/tools/spec', 'get'],
    ['/tools/{tool_id}', 'post'],
  ])('describes a Problem for every declared failure of %s and for any other', async (path, method) => {
    const responses = member(await described(`${agent}${path}`, method), 'responses');
    for (const status of ['400', '401', '403', '404', '429', '500', '503', 'default'])
      expect([status, member(responses, status, 'content')]).toMatchObject([
        status,
        { 'application/problem+json': { schema: problem } },
      ]);
  });
});

describe('the OpenAPI document of OData', () => {
  const service = '/intelligence/api/odata/{km_id}.svc';
  const described = async (path: string) => member((await stack.request('/openapi.json')).body, 'paths', path, 'get');

  it('names options as the standard does, formats, and the headers of content negotiation', async () => {
    const { parameters, responses } = await described(`${service}/{record_id}_entries`);
    const names = (parameters as readonly Member[]).map(({ in: place, name }) => `${String(place)} ${String(name)}`);
    expect(names).toEqual([
      ...['path km_id', 'path record_id', 'query $format'],
      ...['header accept', 'header odata-version', 'header odata-maxversion'],
      ...[
        'query $apply',
        'query aliases',
        'query $filter',
        'query $search',
        'query filterid',
        'query $select',
        'query $expand',
      ],
      ...['query $orderby', 'query $top'],
      ...['query $skip', 'query $count', 'query $skiptoken', 'header prefer'],
    ]);
    expect(Object.keys(member(responses, '200', 'content'))).toEqual(['application/json', 'application/atom+xml']);
    expect(member(responses, '200', 'headers')).toHaveProperty('OData-Version');
    const count = await described(`${service}/{record_id}_entries/$count`);
    expect(Object.keys(member(count, 'responses', '200', 'content'))).toEqual(['text/plain']);
    const key = await described(`${service}/{record_id}_entries{key}`);
    expect((key['parameters'] as readonly Member[]).find(({ name }) => name === 'key')).toMatchObject({ in: 'path' });
  });

  it.each(['', '/$metadata', '/{record_id}_entries', '/{record_id}_entries/$count', '/{record_id}_entries{key}'])(
    'describes the failures of %s with the OData error member',
    async (rest) => {
      const responses = member(await described(`${service}${rest}`), 'responses');
      for (const [status, code] of [
        ['415', 'ODATA_FORMAT_UNSUPPORTED'],
        ['501', 'ODATA_OPTION_UNSUPPORTED'],
      ]) {
        expect(member(responses, status ?? '', 'headers')).toHaveProperty('OData-Version');
        const content = member(responses, status ?? '', 'content', 'application/problem+json');
        expect(content['schema']).toEqual({ $ref: '#/components/schemas/ODataError' });
        expect(member(content, 'examples', code ?? '', 'value')).toMatchObject({ errorCode: code, error: { code } });
      }
    },
  );
});

describe('the reference', () => {
  it('is served from local files and contacts no other host', async () => {
    const page = await stack.request('/docs', { key: undefined });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text.replaceAll('http://www.w3.org', '')).not.toMatch(/(src|href)="https?:/);
    const files = [...page.text.matchAll(/(?:src|href)="\.\/(docs\/[^"]+)"/g)].map(([, file]) => file);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const { status } = await stack.request(`/${file}`, { key: undefined });
      expect([file, status]).toEqual([file, 200]);
    }
    expect((await stack.request('/docs/start.js')).text).toContain('/openapi.json');
  });
});

describe('health and metrics', () => {
  it('are public and name no team', async () => {
    expect((await stack.request('/health/live', { key: undefined })).body).toEqual({ status: 'live' });
    expect((await stack.request('/health/ready', { key: undefined })).body).toEqual({
      status: 'ready',
      checks: { nats: 'up', inbox: 'up', database: 'up', writes: 'up' },
    });
    await stack.request('/demo/p2p/_api/rest/facets');
    const { status, text } = await stack.request('/metrics', { key: undefined });
    expect(status).toBe(200);
    expect(text).toMatch(/tessera_http_request_duration_seconds_count\{.*operation="content.facets.list",status="200"/);
    expect(text).toContain('tessera_rate_limit_local');
    expect(text).not.toContain('meridian');
  });
});
