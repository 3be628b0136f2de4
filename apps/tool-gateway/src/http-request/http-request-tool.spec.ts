import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { waitUntil } from '@tessera/testing';
import { createHttpRequestTool } from './http-request-tool.js';
import type { RequestContext } from './request-context.js';
import { respondWithJson, type ForeignSystem, startForeignSystem } from './testing/foreign-system.js';
import {
  createToolContext,
  createHttpRequestDefinition,
  createResolver,
  createRequestContext,
} from './testing/test-context.js';

let system: ForeignSystem;
beforeEach(async () => {
  system = await startForeignSystem();
});
afterEach(() => system.stop());

const around = (more: Partial<RequestContext> = {}): RequestContext =>
  createRequestContext({ hosts: { 'erp.example': { teams: ['meridian'], address: system.address } }, ...more });

const token = 'Xy7/+token-of-the-erp';
const secrets = { ERP_TOKEN: { teams: ['meridian'], hosts: ['erp.example'], value: token } };

const blocking = createHttpRequestDefinition({
  id: 'block-invoice',
  request: {
    method: 'POST',
    url: 'https://erp.example/invoices/{invoiceNo}/block',
    headers: { Authorization: 'Bearer {secret:ERP_TOKEN}' },
  },
  inputSchema: {
    type: 'object',
    required: ['invoiceNo'],
    properties: { invoiceNo: { type: 'string' }, reason: { type: 'string' } },
    additionalProperties: false,
  },
});

const run = (
  more: Parameters<typeof createHttpRequestDefinition>[0],
  arguments_: Readonly<Record<string, unknown>> = {},
) => createHttpRequestTool(createHttpRequestDefinition(more), around()).run(arguments_, createToolContext());

describe('an http-request tool', () => {
  it('is listed as it is defined, and is read-only when it uses GET', () => {
    const { run: _, ...tool } = createHttpRequestTool(blocking, around());
    expect(tool).toEqual({
      ...{ id: 'block-invoice', title: 'block-invoice', description: 'Asks erp.example by POST.', isReadOnly: false },
      inputSchema: blocking.inputSchema,
    });
    expect(createHttpRequestTool(createHttpRequestDefinition(), around()).isReadOnly).toBe(true);
    expect(createHttpRequestTool(createHttpRequestDefinition({ isReadOnly: false }), around()).isReadOnly).toBe(false);
    expect(createHttpRequestTool({ ...blocking, isReadOnly: true }, around()).isReadOnly).toBe(true);
  });

  it('puts arguments into path and JSON body, and the secret into its header', async () => {
    system.answer = respondWithJson({ status: 'blocked' });
    const tool = createHttpRequestTool(blocking, around({ secrets }));
    const result = await tool.run({ invoiceNo: 'RE 51-ä', reason: 'duplicate' }, createToolContext());
    expect(result).toEqual({ ok: true, value: { value: { status: 'blocked' } } });
    expect(system.requests).toMatchObject([
      {
        ...{ method: 'POST', url: '/invoices/RE%2051-%C3%A4/block', body: '{"reason":"duplicate"}' },
        headers: {
          ...{ host: 'erp.example', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...{ 'x-request-id': 'request-1', 'idempotency-key': expect.stringMatching(/^[\da-f]{32}$/) },
        },
      },
    ]);
  });

  it('sends the same Idempotency-Key for the same call of one request, and none for read-only tools', async () => {
    const tool = createHttpRequestTool(blocking, around({ secrets }));
    await tool.run({ invoiceNo: '1' }, createToolContext());
    await tool.run({ invoiceNo: '1' }, createToolContext());
    await tool.run({ invoiceNo: '2' }, createToolContext());
    await tool.run({ invoiceNo: '1' }, createToolContext({ requestId: 'request-2' }));
    await run({});
    const [first, again, other, later, reading] = system.requests.map(({ headers }) => headers['idempotency-key']);
    expect(again).toBe(first);
    expect(new Set([first, other, later]).size).toBe(3);
    expect(reading).toBeUndefined();
  });

  it.each(['GET', 'DELETE'] as const)('puts the rest of the arguments into the query of %s', async (method) => {
    await run(
      { request: { method, url: 'https://erp.example/invoices?lang=de&state={state}' } },
      { state: 'open&paid', plants: ['1010', '2010'], page: 2, isOpen: true, none: null, 'na=me': 'a b' },
    );
    expect(system.requests).toMatchObject([
      {
        ...{ method, body: '' },
        url: '/invoices?lang=de&state=open%26paid&plants=1010&plants=2010&page=2&isOpen=true&na%3Dme=a%20b',
      },
    ]);
  });

  it.each(['PUT', 'PATCH', 'POST'] as const)(
    'sends an empty object as the body of %s without arguments',
    async (method) => {
      await run({ request: { method } });
      expect(system.requests).toMatchObject([{ method, body: '{}' }]);
    },
  );

  it.each([
    '',
    '.',
    '..',
    '/',
    'a/b',
    '../admin',
    '..\\admin',
    'a\\b',
    '%2e%2e',
    'a%2fb',
    '%2F',
    'a?b=c',
    'a#b',
    'a\nb',
    '\0',
    '\ud800',
  ])('rejects %j in the path and sends nothing', async (invoiceNo) => {
    const result = await createHttpRequestTool(blocking, around({ secrets })).run({ invoiceNo }, createToolContext());
    expect(result).toMatchObject({
      ok: false,
      failure: {
        code: 'TOOL_ARGUMENTS_INVALID',
        faults: [{ path: 'invoiceNo', message: expect.stringMatching(/^expected/) }],
      },
    });
    expect(system.requests).toEqual([]);
  });

  it.each([
    ['https://erp.example/{a}{b}', { a: '.', b: '.' }],
    ['https://erp.example/.{a}', { a: '.' }],
    ['https://erp.example/x?role=user', { role: 'admin' }],
    ['https://erp.example/x?role={a}', { a: 'user', role: 'admin' }],
    ['https://erp.example/{a}', { a: 'x'.repeat(9_000) }],
  ])('rejects arguments that would change the address %s', async (url, arguments_) => {
    expect(await run({ request: { url } }, arguments_)).toMatchObject({
      ok: false,
      failure: { code: 'TOOL_ARGUMENTS_INVALID' },
    });
    expect(system.requests).toEqual([]);
  });
});

describe('the answer of a foreign system', () => {
  it.each([
    ['a text', 'text/plain', 'done', 'done'],
    ['a text that looks like JSON', 'text/plain', '{"a":1}', '{"a":1}'],
    ['JSON of its own type', 'application/problem+json; charset=utf-8', '{"a":[1]}', { a: [1] }],
    ['a JSON text', 'application/json', '"done"', 'done'],
    ['nothing', 'application/json', '', {}],
  ])('becomes the result when it is %s', async (_, contentType, text, value) => {
    system.answer = (response) => void response.writeHead(200, { 'content-type': contentType }).end(text);
    expect(await run({})).toEqual({ ok: true, value: { value } });
  });

  it('becomes an empty object when there is no content', async () => {
    system.answer = (response) => void response.writeHead(204).end();
    expect(await run({})).toEqual({ ok: true, value: { value: {} } });
  });

  it('is rejected when its values are too costly to validate against the output schema', async () => {
    const anyOf = Array.from({ length: 600 }, (_, index) => ({ const: `v${index}` }));
    const outputSchema = { type: 'object', properties: { a: { type: 'array', items: { anyOf } } } };
    const answered = async (count: number) => {
      system.answer = respondWithJson({ a: Array.from({ length: count }, () => 'v599') });
      return run({ outputSchema });
    };
    expect(await answered(10)).toMatchObject({ ok: true });
    expect(await answered(20_000)).toMatchObject({
      failure: { code: 'TOOL_FAILED', detail: expect.stringContaining('more values than its output schema is for') },
    });
  });

  it('keeps only the members that the output schema declares', async () => {
    system.answer = respondWithJson({ invoiceNo: '1', status: 'open', internal: { clerk: 'M. Muster' } });
    const outputSchema = { type: 'object', properties: { invoiceNo: { type: 'string' }, status: {} } };
    expect(await run({ outputSchema })).toEqual({ ok: true, value: { value: { invoiceNo: '1', status: 'open' } } });
  });

  it.each([
    [301, /redirect \(status 301\)/],
    [304, /redirect \(status 304\)/],
    [400, /status 400/],
    [404, /status 404/],
    [500, /status 500/],
  ])('fails with the status %s and shows nothing of the body', async (status, detail) => {
    system.answer = (response) =>
      void response
        .writeHead(status, { location: 'http://10.0.0.7/inside' })
        .end(status === 304 ? '' : 'ORA-00942 at db.internal');
    const result = await run({});
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'TOOL_FAILED', detail: expect.stringMatching(detail) },
    });
    expect(JSON.stringify(result)).not.toMatch(/ORA|internal|10\.0|inside|127\.0|erp\.example/);
  });

  it.each([
    ['no JSON though it says so', 'application/json', Buffer.from('{"a":'), /did not/],
    ['deep', 'application/json', Buffer.from('['.repeat(5_000) + ']'.repeat(5_000)), /64 levels/],
    ['no UTF-8', 'text/plain', Buffer.from([0xff, 0xfe]), /neither JSON nor a text/],
  ])('fails when it is %s', async (_, contentType, body, detail) => {
    system.answer = (response) => void response.writeHead(200, { 'content-type': contentType }).end(body);
    expect(await run({})).toMatchObject({
      ok: false,
      failure: { code: 'TOOL_FAILED', detail: expect.stringMatching(detail) },
    });
  });

  it('fails when it does not arrive in time, or its caller has left', async () => {
    system.answer = () => undefined;
    const late = { ok: false, failure: { code: 'TOOL_FAILED', detail: 'The foreign system did not answer in time.' } };
    const tool = (timeoutMs: number) => createHttpRequestTool(createHttpRequestDefinition(), around({ timeoutMs }));
    expect(await tool(100).run({}, createToolContext())).toEqual(late);
    // The first one may have been late before it was sent.
    const sent = system.requests.length;
    const leaving = new AbortController();
    const result = tool(60_000).run({}, createToolContext({ signal: leaving.signal }));
    await waitUntil(() => system.requests.length > sent);
    leaving.abort();
    expect(await result).toEqual(late);
  });

  it('fails in time when the look-up of the host hangs', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const tool = createHttpRequestTool(createHttpRequestDefinition(), createRequestContext({ resolve, timeoutMs: 50 }));
    expect(await tool.run({}, createToolContext())).toMatchObject({ ok: false, failure: { code: 'TOOL_FAILED' } });
  });

  it('fails without showing an address when the connection is refused', async () => {
    await system.stop();
    const result = await run({});
    expect(result).toMatchObject({ ok: false, failure: { detail: 'The foreign system could not be reached.' } });
    system = await startForeignSystem();
  });
});

describe('a system that fails again and again', () => {
  it('is not called for a while, for this team only', async () => {
    system.answer = respondWithJson({}, 500);
    const hosts = { 'erp.example': { teams: ['meridian', 'northgate'], address: system.address } };
    const shared = around({ hosts });
    const tool = createHttpRequestTool(createHttpRequestDefinition(), shared);
    for (let count = 0; count < 5; count++) await tool.run({}, createToolContext());
    expect(await tool.run({}, createToolContext())).toMatchObject({
      ok: false,
      failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) },
    });
    expect(system.requests).toHaveLength(5);
    await createHttpRequestTool(createHttpRequestDefinition(), { ...shared, team: 'northgate' }).run(
      {},
      createToolContext(),
    );
    expect(system.requests).toHaveLength(6);
  });

  it('is still called when it only rejects requests', async () => {
    system.answer = respondWithJson({}, 409);
    const tool = createHttpRequestTool(createHttpRequestDefinition(), around());
    for (let count = 0; count < 8; count++)
      expect(await tool.run({}, createToolContext())).toMatchObject({ failure: { code: 'TOOL_FAILED' } });
    expect(system.requests).toHaveLength(8);
  });
});

describe('a secret', () => {
  it('is masked in the result, however the foreign system encodes it', async () => {
    const shown = [token, encodeURIComponent(token), Buffer.from(token).toString('base64'), `Bearer ${token}!`];
    system.answer = respondWithJson({ shown, [token]: { deep: [`a ${token} b`] } });
    const result = await createHttpRequestTool(blocking, around({ secrets })).run(
      { invoiceNo: '1' },
      createToolContext(),
    );
    expect(result).toMatchObject({ ok: true, value: { value: { '[secret]': { deep: ['a [secret] b'] } } } });
    for (const form of shown.slice(0, 3)) expect(JSON.stringify(result)).not.toContain(form.replaceAll('=', ''));

    system.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(token).replace('X', '\\u0058'));
    const escaped = await createHttpRequestTool(blocking, around({ secrets })).run(
      { invoiceNo: '1' },
      createToolContext(),
    );
    expect(escaped).toEqual({ ok: true, value: { value: '[secret]' } });

    system.answer = (response, { headers }) => void response.end(JSON.stringify(headers));
    const text = await createHttpRequestTool(blocking, around({ secrets })).run(
      { invoiceNo: '1' },
      createToolContext(),
    );
    expect(text).toMatchObject({ ok: true, value: { value: expect.stringContaining('Bearer [secret]') } });
  });

  it.each([
    ['beside other bytes in Base64', (value: string) => Buffer.from(`user:${value}`).toString('base64')],
    ['between other bytes in Base64', (value: string) => Buffer.from(`a:${value}:b`).toString('base64')],
    ['in Base64 of addresses', (value: string) => Buffer.from(`u${value}?>`).toString('base64url')],
    ['percent-encoded in lower case', (value: string) => encodeURIComponent(value).toLowerCase().replace('xy7', 'Xy7')],
    ['as a form has it', (value: string) => new URLSearchParams({ a: value }).toString()],
    ['as JSON in a text', (value: string) => `log: ${JSON.stringify({ a: value })}`],
  ])('is masked %s', async (_, shownBy) => {
    const value = 'Xy7/+"token" \\of the-erp';
    system.answer = (response) => void response.end(shownBy(value));
    const given = { ERP_TOKEN: { ...secrets.ERP_TOKEN, value } };
    const result = await createHttpRequestTool(blocking, around({ secrets: given })).run(
      { invoiceNo: '1' },
      createToolContext(),
    );
    expect(result).toMatchObject({ ok: true, value: { value: expect.stringContaining('[secret]') } });
  });

  it('is masked when it is a number', async () => {
    system.answer = respondWithJson({ pin: 1234567890 });
    const pin = { ERP_TOKEN: { ...secrets.ERP_TOKEN, value: '1234567890' } };
    const result = await createHttpRequestTool(blocking, around({ secrets: pin })).run(
      { invoiceNo: '1' },
      createToolContext(),
    );
    expect(result).toEqual({ ok: true, value: { value: { pin: '[secret]' } } });
  });

  it.each([
    ['there is none', {}],
    ['it is of another team', { ERP_TOKEN: { ...secrets.ERP_TOKEN, teams: ['northgate'] } }],
    ['it is for another host', { ERP_TOKEN: { ...secrets.ERP_TOKEN, hosts: ['crm.example'] } }],
  ])('fails the call without sending a request when %s', async (_, given) => {
    const result = await createHttpRequestTool(blocking, around({ secrets: given })).run(
      { invoiceNo: '1' },
      createToolContext(),
    );
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'TOOL_FAILED', detail: expect.stringMatching(/settings/) },
    });
    expect(system.requests).toEqual([]);
  });
});

describe('an http-request definition that is no longer valid', () => {
  it('fails as TOOL_FAILED', async () => {
    expect(await run({ request: { url: 'ftp://erp.example/' } })).toMatchObject({ failure: { code: 'TOOL_FAILED' } });
    const { resolve } = createResolver(['10.0.0.1']);
    const tool = createHttpRequestTool(createHttpRequestDefinition(), createRequestContext({ resolve }));
    expect(await tool.run({}, createToolContext())).toMatchObject({ failure: { code: 'TOOL_FAILED' } });
  });
});

describe('the host of a tool', () => {
  const publicAddress = '93.184.215.14';

  it('is looked up once for a call and connected to at that address', async () => {
    const { resolve, lookedUp } = createResolver([publicAddress], ['127.0.0.1']);
    const reached: unknown[] = [];
    const tool = createHttpRequestTool(
      createHttpRequestDefinition(),
      createRequestContext({
        resolve,
        exchange: (target) => {
          reached.push(target.connectTo);
          return Promise.resolve({ kind: 'answer', status: 204, contentType: '', body: Buffer.alloc(0) });
        },
      }),
    );
    expect(await tool.run({}, createToolContext())).toEqual({ ok: true, value: { value: {} } });
    expect(lookedUp).toEqual(['erp.example']);
    expect(reached).toEqual([[{ address: publicAddress, family: 4 }]]);
    // The next call finds what the name leads to meanwhile, and stays away.
    expect(await tool.run({}, createToolContext())).toMatchObject({ ok: false, failure: { code: 'TOOL_FAILED' } });
    expect(reached).toHaveLength(1);
  });

  it('fails with the same message whether its name resolves to a private address or not at all, and gives the reason only in the log', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      for (const addresses of [['10.0.0.1'], [publicAddress, '127.0.0.1'], []]) {
        const tool = createHttpRequestTool(
          createHttpRequestDefinition(),
          createRequestContext(createResolver(addresses)),
        );
        expect(await tool.run({}, createToolContext())).toEqual({
          ok: false,
          failure: {
            code: 'TOOL_FAILED',
            detail: 'The host of the tool was not found in the public Internet, and the operator has not listed it.',
          },
        });
      }
      const tool = 'A tool of the team meridian asked for the host erp.example, whose name';
      expect(warned.mock.calls).toEqual([
        [`${tool} leads to an address that is not public.`],
        [`${tool} leads to an address that is not public.`],
        [`${tool} has no address.`],
      ]);
    } finally {
      warned.mockRestore();
    }
  });

  it('is refused when it resolves to a private address or does not resolve', async () => {
    const inside = createHttpRequestTool(
      createHttpRequestDefinition({ request: { url: 'https://127.0.0.1/' } }),
      createRequestContext(),
    );
    expect(await inside.run({}, createToolContext())).toMatchObject({
      failure: { detail: 'The host of the tool is not of the public Internet, and the operator has not listed it.' },
    });
    const hosts = { 'erp.example': { teams: ['meridian'], address: 'https://erp.internal' } };
    const lost = createHttpRequestTool(createHttpRequestDefinition(), createRequestContext({ hosts }));
    expect(await lost.run({}, createToolContext())).toMatchObject({
      failure: { detail: 'The host of the tool was not found where the operator has said that it is.' },
    });
  });
});
