/** Group C at the edge: where each member of a request comes from, what a message may be, and how failures look. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillPath, pathParameterNames } from '@tessera/contracts';
import * as agents from '@tessera/contracts/agents';
import { agentsPrefix, maxMessageCharacters, noQuestion } from '@tessera/contracts/agents';
import { findOperations } from '@tessera/testing';
import { sendRawRequest } from '../testing/raw-request.js';
import { openTestStack, type Answer, type RequestOptions, type TestStack } from '../testing/test-stack.js';
import { buildRequestWithMembers, type RequestParameterSamples } from '../testing/write-request.js';

const operations = findOperations(agents, 'C').map((operation) => [operation.name, operation] as const);

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const problemType = 'application/problem+json; charset=utf-8';
const conversations = `${agentsPrefix}/analyst/conversations`;
const post = (body: unknown, more: RequestOptions = {}) =>
  stack.request(conversations, { method: 'POST', body, ...more });
const sendMessage = (message: unknown, more: RequestOptions = {}) => post({ message }, more);
const faultsIn = ({ body }: Answer) => body?.['faults'];

const id = '00000000-0000-4000-8000-000000000001';
const written: RequestParameterSamples = {
  draft: { text: 'true', value: true },
  pageSize: { text: '7', value: 7 },
  after: { text: id, value: id },
  fromTurn: { text: '3', value: 3 },
  turnsMax: { text: '5', value: 5 },
  version: { text: '3.1', value: '3.1' },
};
const bodies: Readonly<Record<string, { readonly whole: object; readonly least: object }>> = {
  'agents.converse': { whole: { message: 'Grüße?', conversationId: 'c-1' }, least: { message: 'x' } },
  'agents.completions.create': {
    whole: { model: 'a', messages: [{ role: 'user', content: 'Grüße?', name: 'anna' }], user: 'c-1', top_p: 1 },
    least: { model: 'a', messages: [{ role: 'user', content: 'x' }] },
  },
};
const bodyOf = (name: string): object => bodies[name]?.whole ?? { columns: ['A'], draft: 1 };
/** The code of a failure in the form that the operation has. */
const failureCodeOf = ({ body, headers }: Answer, { http }: (typeof operations)[number][1]) => {
  const type = headers.get('content-type');
  if (!http.isCompletion) return { code: body?.['code'], detail: body?.['detail'], isOfItsForm: type === problemType };
  const { code, message } = Object(body?.['error']);
  return { code, detail: message, isOfItsForm: type === 'application/json; charset=utf-8' };
};

describe('every operation of agents', () => {
  it.each(operations)(
    '%s: reads each request member from path, query, header or body and passes it on',
    async (_, operation) => {
      const { path, options, expected } = buildRequestWithMembers(operation, written, bodyOf(operation.name));
      const { status, body } = await stack.request(path, options);
      expect({ status, request: body?.['request'] }).toEqual({ status: 200, request: expected });
    },
  );

  it.each(operations)('%s: can be called without its optional members', async (_, { name, request, http }) => {
    const path = fillPath(http, (member) => `a-${member}`);
    const least = http.body === undefined ? {} : { [http.body]: bodies[name]?.least ?? {} };
    const answer = await stack.request(path, {
      method: http.method.toUpperCase(),
      ...(http.body && { body: least[http.body] }),
    });
    const names = pathParameterNames(http).map((member) => [member, `a-${member}`]);
    // `fetch` itself always says that any document will do.
    const accept = 'accept' in request.shape ? { accept: '*/*' } : {};
    expect(answer.body?.['request']).toEqual({
      ...request.parse({ ...Object.fromEntries(names), ...least }),
      ...accept,
    });
  });

  it.each(operations)('%s: answers 401 without a credential and 403 without its scope', async (_, operation) => {
    const { path, options } = buildRequestWithMembers(operation, written, bodyOf(operation.name));
    const unknown = await stack.request(path, { ...options, key: undefined });
    expect([unknown.status, failureCodeOf(unknown, operation)]).toMatchObject([
      401,
      { code: 'ACCESS_UNAUTHORIZED', isOfItsForm: true },
    ]);
    const reader = await stack.request(path, { ...options, key: stack.keys.reader });
    expect([reader.status, failureCodeOf(reader, operation)]).toMatchObject([
      403,
      { code: 'ADMIN_ACCESS_ERROR', detail: expect.stringContaining(operation.scope), isOfItsForm: true },
    ]);
  });

  it.each(operations)('%s: answers with 404 to a team that has no such agent', async (_, operation) => {
    const { path, options } = buildRequestWithMembers(operation, written, bodyOf(operation.name));
    const answer = await stack.request(path, { ...options, key: stack.keys.northgate });
    expect([answer.status, failureCodeOf(answer, operation)]).toMatchObject([
      404,
      { code: 'AGENT_NOTFOUND', isOfItsForm: true },
    ]);
  });
});

describe('a completion', () => {
  const completions = `${agentsPrefix}/analyst/v1/chat/completions`;
  const complete = (body: object) => stack.request(completions, { method: 'POST', body });
  const messages = [{ role: 'user', content: 'x' }];

  it('arrives with members that the protocol has and an agent has no use for', async () => {
    const body = { model: 'a', messages, top_k: 1, max_tokens: 5, store: false, metadata: { mine: 1 } };
    expect((await complete(body)).body).toMatchObject({ request: { completion: body } });
  });

  it('with a member that the protocol does not have is refused, with the nearest one', async () => {
    const { status, body } = await complete({ model: 'a', messages, toolz: [], metadta: {}, _x: 1 });
    expect([status, body?.['error']]).toMatchObject([
      400,
      {
        param: 'toolz',
        errorCode: 'GENERAL_CONSTRAINT_VIOLATION',
        faults: [{ suggestion: 'tools' }, { suggestion: 'metadata' }],
      },
    ]);
  });

  it('may have null for what was said before, and for its own members', async () => {
    const said = [messages[0], { role: 'assistant', content: null, tool_calls: null, name: null }, messages[0]];
    const { status } = await complete({ model: 'a', messages: said, user: null, stream: null, temperature: null });
    expect(status).toBe(200);
  });

  it.each([[{}], [{ messages: null }], [{ messages: [] }]])('without a question is told so: %j', async (more) => {
    const { status, body } = await complete({ model: 'a', ...more });
    expect([status, body?.['error']]).toMatchObject([
      400,
      { message: expect.stringContaining(noQuestion), param: 'messages' },
    ]);
  });

  it('that does not fit is refused with the error object of the protocol, which names the member', async () => {
    const { status, body } = await complete({ model: 'a', messages, tools: [{ type: 'function' }], n: 2 });
    expect([status, body]).toEqual([
      400,
      {
        error: {
          message: expect.stringMatching(/body tools: .*of its own.* body n: .*one answer/),
          ...{ type: 'invalid_request_error', param: 'tools', code: 'GENERAL_CONSTRAINT_VIOLATION' },
          ...{ errorCode: 'GENERAL_CONSTRAINT_VIOLATION', faults: [expect.anything(), expect.anything()] },
        },
      },
    ]);
  });
});

describe('a message', () => {
  it('of 32,000 characters arrives unchanged', async () => {
    const message = `${'x'.repeat(maxMessageCharacters - 2)}ß?`;
    const { status, body } = await sendMessage(message);
    expect([status, body?.['request']]).toMatchObject([200, { message: { message } }]);
  });

  it.each([
    ['is empty', { message: '' }, 'message', noQuestion],
    ['is white space only', { message: ' \n\t\u00a0' }, 'message', noQuestion],
    ['is a number', { message: 7 }, 'message', 'expected a text.'],
    ['is null', { message: null }, 'message', noQuestion],
    ['holds NUL', { message: 'a\u0000b' }, 'message', 'holds a character that cannot be stored.'],
    ['holds half a character', { message: 'a\ud800b' }, 'message', 'holds a character that cannot be stored.'],
    ['is missing', {}, 'message', noQuestion],
    ['has a number for its conversation', { message: 'x', conversationId: 7 }, 'conversationId', 'expected a text.'],
    ['has an empty conversation', { message: 'x', conversationId: '' }, 'conversationId', 'at least 1 character.'],
    ['has a misspelt member', { message: 'x', conversationID: 'c' }, 'conversationID', 'mean "conversationId"?'],
    ['has a member that nobody knows', { message: 'x', model: 'big' }, 'model', 'is not known here.'],
    ['is a list', [{ message: 'x' }], '', 'expected an object.'],
    ['is a text alone', '"x"', '', 'expected an object.'],
  ])(
    'that %s is refused with 400, with the path of the fault and what was expected',
    async (_, body, path, message) => {
      const answer = await post(body);
      expect(answer).toMatchObject({ status: 400, body: { status: 400, code: 'GENERAL_CONSTRAINT_VIOLATION' } });
      expect(faultsIn(answer)).toEqual([expect.objectContaining({ in: 'body', path })]);
      expect(answer.body?.['detail']).toContain(message);
      expect(answer.headers.get('content-type')).toBe(problemType);
    },
  );

  it('that has null for its conversation begins one', async () => {
    expect((await post({ message: 'x', conversationId: null })).body?.['request']).toMatchObject({
      message: { message: 'x' },
    });
  });

  it('of 32,001 characters is refused with 400', async () => {
    const answer = await sendMessage('x'.repeat(maxMessageCharacters + 1));
    expect([answer.status, faultsIn(answer)]).toEqual([
      400,
      [{ in: 'body', path: 'message', message: 'expected at most 32000 characters.', rule: 'too_big' }],
    ]);
  });

  it('is refused with all its faults at once', async () => {
    const answer = await post({ message: '', conversationId: 7, attachments: [] });
    expect(faultsIn(answer)).toMatchObject([{ path: 'message' }, { path: 'conversationId' }, { path: 'attachments' }]);
  });

  it.each([
    ['null', 400, 'GENERAL_CONSTRAINT_VIOLATION'],
    ['', 400, 'GENERAL_CONSTRAINT_VIOLATION'],
    ['{"message": hello}', 400, 'GENERAL_BODY_MALFORMED'],
    ['{"message": "x"', 400, 'GENERAL_BODY_MALFORMED'],
    ['{"message":"x","__proto__":{}}', 400, 'GENERAL_BODY_MALFORMED'],
  ])('with the body %s is refused', async (body, status, code) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status, body: { status, code, instance: conversations } });
    expect(answer.headers.get('content-type')).toBe(problemType);
  });

  it('without a body is refused with 400', async () => {
    const answer = await stack.request(conversations, { method: 'POST' });
    expect([answer.status, faultsIn(answer)]).toMatchObject([400, [{ in: 'body', path: '', rule: 'required' }]]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'text/event-stream', 'no type'])(
    'as %s is refused with 415',
    async (type) => {
      const answer = await post('{"message":"x"}', { headers: { 'Content-Type': type } });
      expect(answer).toMatchObject({ status: 415, body: { code: 'GENERAL_MEDIATYPE_UNSUPPORTED' } });
      expect(answer.headers.get('content-type')).toBe(problemType);
    },
  );

  it('above the limit for bodies is refused with 413', async () => {
    const answer = await sendMessage('x'.repeat(1024 * 1024));
    expect(answer).toMatchObject({ status: 413, body: { code: 'GENERAL_BODY_TOOLARGE' } });
  });

  it('is refused for an unknown or mistyped parameter, but not for one of a page that links here', async () => {
    const asked = (query: string) =>
      stack.request(`${conversations}?${query}`, { method: 'POST', body: { message: 'x' } });
    expect((await asked('draft=yes')).body).toMatchObject({ status: 400, faults: [{ in: 'query', path: 'draft' }] });
    expect((await asked('drafts=true')).body).toMatchObject({ status: 400, faults: [{ suggestion: 'draft' }] });
    expect((await asked('message=y')).body).toMatchObject({ status: 400, faults: [{ in: 'query', path: 'message' }] });
    expect((await asked('utm_source=mail')).body).toMatchObject({ request: { message: { message: 'x' } } });
  });

  it('accepts one Idempotency-Key of up to 255 characters', async () => {
    const keyed = (key: string) => sendMessage('x', { headers: { 'Idempotency-Key': key } });
    expect((await keyed('k'.repeat(255))).body).toMatchObject({ request: { idempotencyKey: 'k'.repeat(255) } });
    const answer = await keyed('k'.repeat(256));
    expect([answer.status, faultsIn(answer)]).toMatchObject([400, [{ in: 'header', path: 'idempotency-key' }]]);
    const twice = await sendRawRequest(
      stack.gateway.port,
      `POST ${conversations} HTTP/1.1\r\nHost: a\r\nAppKey: ${stack.keys.meridian}\r\nIdempotency-Key: a\r\n` +
        `Idempotency-Key: b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(twice).toMatch(/^HTTP\/1.1 400 [^]*idempotency-key is there twice/);
  });
});

describe('a failure of an agent', () => {
  it.each([
    ['busy', 409, 'AGENT_CONVERSATION_BUSY', '2'],
    ['running', 409, 'GENERAL_IDEMPOTENCY_RUNNING', '1'],
    ['foreign', 404, 'AGENT_CONVERSATION_NOTFOUND', null],
    ['away', 503, 'AGENT_MODEL_UNAVAILABLE', '5'],
    ['another', 422, 'GENERAL_IDEMPOTENCY_MISMATCH', null],
  ])(
    '(%s) is sent as a Problem with status %d, also to clients that accept events',
    async (message, status, code, wait) => {
      for (const accept of ['application/json', 'text/event-stream']) {
        const { headers, ...answer } = await sendMessage(message, { headers: { Accept: accept } });
        expect(answer).toMatchObject({ status, body: { type: 'about:blank', status, code, instance: conversations } });
        expect(headers.get('content-type')).toBe(problemType);
        expect(headers.get('retry-after')).toBe(wait);
      }
    },
  );

  it('is sent as a Problem for an unknown path and for an unknown method', async () => {
    const asked = [
      ['GET', `${agentsPrefix}/analyst`, 404],
      ['GET', `${agentsPrefix}/analyst/tools`, 404],
      ['POST', `${agentsPrefix}/analyst/tools/load-data/more`, 404],
      ['GET', `${agentsPrefix}/analyst/tools/load-data`, 405],
      ['PUT', conversations, 405],
    ] as const;
    for (const [method, path, expected] of asked) {
      const { status, body, headers } = await stack.request(path, { method });
      const code = expected === 404 ? 'GENERAL_NOTFOUND_PATH' : 'GENERAL_METHOD_NOTALLOWED';
      expect([path, status, body?.['code']]).toEqual([path, expected, code]);
      expect(headers.get('content-type')).toBe(problemType);
    }
  });
});

describe('a call of a tool of an agent', () => {
  const call = (tool: string, body?: unknown, more: RequestOptions = {}) =>
    stack.request(`${agentsPrefix}/analyst/tools/${tool}`, {
      method: 'POST',
      ...(body !== undefined && { body }),
      ...more,
    });

  it('with invalid arguments is refused with 400 and every fault, also in the text', async () => {
    const { status, body } = await call('strict', {});
    expect([status, body?.['code']]).toEqual([400, 'AGENT_ARGUMENTS_INVALID']);
    expect(body?.['faults']).toMatchObject([{ path: 'columns.1', suggestion: 'AMOUNT' }, { path: '' }]);
    expect(body?.['detail']).toContain('columns.1: is not known');
  });

  it.each([
    ['unknown', 404, 'AGENT_TOOL_NOTFOUND', null],
    ['failing', 502, 'TOOL_FAILED', null],
    ['garbled', 502, 'TOOL_RESULT_INVALID', null],
    ['crowded', 429, 'LIMIT_ASSET_EXCEEDED', '7'],
  ])('(%s) is sent as a Problem with status %d', async (tool, status, code, wait) => {
    const { headers, ...answer } = await call(tool, {});
    expect(answer).toMatchObject({ status, body: { status, code } });
    expect(headers.get('content-type')).toBe(problemType);
    expect(headers.get('retry-after')).toBe(wait);
  });

  it.each([['[]'], ['"x"'], ['7']])('refuses arguments that are no object: %s', async (body) => {
    const answer = await call('load-data', body);
    expect([answer.status, faultsIn(answer)]).toMatchObject([400, [{ in: 'body', path: '' }]]);
  });

  it('has no arguments without a body, and where the body is null', async () => {
    for (const body of [undefined, 'null']) {
      const answer = await call('load-data', body);
      expect([answer.status, answer.body?.['request']]).toMatchObject([200, { arguments: {} }]);
    }
  });
});

describe('the administration of agents', () => {
  const agent = { kind: 'Agent', id: 'analyst', tools: [{ asset: 'p2p-tools' }] };
  const team = { team: { text: 'meridian', value: 'meridian' } };
  const administration = findOperations(agents, 'admin').map((each) => [each.name, each] as const);

  it.each(administration)(
    '%s: reads each request member from path, query, header or body, and requires the scope',
    async (_, operation) => {
      const { path, options, expected } = buildRequestWithMembers(operation, team, {
        definitions: [agent],
        mode: 'check',
      });
      const { status, body } = await stack.request(path, { ...options, key: stack.keys.meridianAdmin });
      expect([status, body?.['request']]).toMatchObject([200, expected]);
      expect((await stack.request(path, options)).status).toBe(403);
    },
  );

  it('reports every fault of a definition with its path', async () => {
    const wrong = { ...agent, model: { provider: 'builtin', modell: 'x' }, instuctions: 'Be kind.' };
    const { status, body } = await stack.request('/admin/teams/meridian/agents', {
      method: 'POST',
      body: { definitions: [wrong] },
      key: stack.keys.meridianAdmin,
    });
    expect([status, body?.['code']]).toEqual([400, 'GENERAL_CONSTRAINT_VIOLATION']);
    expect(body?.['faults']).toMatchObject([
      { path: 'definitions.0.model.modell' },
      { path: 'definitions.0.instuctions', suggestion: 'instructions' },
    ]);
  });
});
