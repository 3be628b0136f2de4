import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { waitUntil } from '@tessera/testing';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { sendRawRequest } from '../testing/raw-request.js';
import { echoHandlerCounts } from '../testing/echo-service.js';
import { acquireLongRequestSlot } from './team-shares.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const post = (body: unknown, headers = {}) =>
  stack.request('/admin/keys', { method: 'POST', body, headers, key: stack.keys.operator });

describe('a body', () => {
  it('that is not JSON is refused with line, column and what was expected', async () => {
    const { status, headers, body } = await post('{"team": "a",\n  "name": nope}');
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({
      code: 'GENERAL_BODY_MALFORMED',
      faults: [{ in: 'body', rule: 'json', position: 24 }],
    });
    expect(body?.['detail']).toContain('line 2, column 11 a value');
  });

  it('is refused as too large over 256 KiB, and where large ones are needed over 1 MiB', async () => {
    const refused = { status: 413, body: { status: 413, code: 'GENERAL_BODY_TOOLARGE' } };
    expect(await post({ name: 'x'.repeat(256 * 1024) })).toMatchObject(refused);
    expect((await post({ name: 'x'.repeat(255 * 1024) })).status).toBe(400);
    const call = (bytes: number) =>
      stack.request(`${mcpPrefix}/p2p-tools/tool-api/load-data`, { method: 'POST', body: { a: 'x'.repeat(bytes) } });
    expect((await call(300 * 1024)).status).toBe(200);
    expect(await call(1024 * 1024)).toMatchObject(refused);
  });

  it('that is long is not parsed before its team has fewer long requests under way', async () => {
    const held = await Promise.all(
      [1, 2, 3, 4].map(() => acquireLongRequestSlot('meridian', 1024 * 1024, new AbortController().signal)),
    );
    const call = (body: string) => stack.request(`${mcpPrefix}/p2p-tools/tool-api/load-data`, { method: 'POST', body });
    let isAnswered = false;
    const long = call(`{"a": "${'x'.repeat(100 * 1024)}", nope}`).finally(() => (isAnswered = true));
    for (const short of ['{nope}', '{nope}', '{nope}']) expect((await call(short)).status).toBe(400);
    expect(isAnswered).toBe(false);
    for (const slot of held) if (slot.ok) slot.value();
    expect(await long).toMatchObject({ status: 400, body: { code: 'GENERAL_BODY_MALFORMED' } });
  });

  it.each([
    ['too large', 413, () => stack.keys.operator],
    ['of a stranger', 401, () => 'nobody'],
  ])('that is %s is refused with an answer that its sender receives, however late it reads', async (_, status, key) => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, '[');
    const head = `POST /admin/keys HTTP/1.1\r\nHost: a\r\nAppKey: ${key()}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    const socket = connect(stack.gateway.port, '127.0.0.1').pause();
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString())).on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.write(`${head}Content-Length: ${bytes.length}\r\n\r\n`);
    await sleep(50);
    socket.write(bytes);
    await sleep(200);
    socket.resume();
    await closed;
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*}$`));
  });

  it('that declares too large a length is refused before it is sent', async () => {
    const head = `POST /admin/keys HTTP/1.1\r\nHost: a\r\nAppKey: ${stack.keys.operator}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    expect(await sendRawRequest(stack.gateway.port, `${head}Content-Length: 99999999\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  it('nested deeper than 64 levels is refused, 64 levels are accepted', async () => {
    const nested = (depth: number) => `{"team":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect((await post(nested(64))).body).toMatchObject({ code: 'GENERAL_CONSTRAINT_VIOLATION' });
    expect((await post(nested(65))).body).toMatchObject({ code: 'GENERAL_BODY_MALFORMED' });
  });

  it('of another media type is refused', async () => {
    const { status, body } = await post('team=a', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'GENERAL_MEDIATYPE_UNSUPPORTED' });
  });

  it('may be gzip, within the limit when it is unpacked', async () => {
    const send = async (bytes: Uint8Array, coding: string) => {
      const headers = { 'Content-Encoding': coding, 'Content-Type': 'application/json', AppKey: stack.keys.operator };
      const address = `http://127.0.0.1:${stack.gateway.port}/admin/keys`;
      const answer = await fetch(address, { method: 'POST', headers, body: new Uint8Array(bytes) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const wrong = { code: 'GENERAL_CONSTRAINT_VIOLATION', faults: [{ path: 'team' }, { rule: 'required' }, {}] };
    for (const coding of ['gzip', 'X-GZIP'])
      expect(await send(gzipSync('{"team":"BIG"}'), coding)).toMatchObject({ status: 400, body: wrong });
    const bomb = gzipSync(' '.repeat(64 * 1024 * 1024));
    expect(await send(bomb, 'gzip')).toMatchObject({ status: 413, body: { code: 'GENERAL_BODY_TOOLARGE' } });
    for (const bytes of [Buffer.from('{"team":"BIG"}'), gzipSync('{"team":"BIG"}').subarray(0, -5)])
      expect(await send(bytes, 'gzip')).toMatchObject({ status: 400, body: { code: 'GENERAL_BODY_MALFORMED' } });
    for (const coding of ['br', 'br, gzip'])
      expect(await send(gzipSync('{}'), coding)).toMatchObject({
        ...{ status: 415, body: { code: 'GENERAL_MEDIATYPE_UNSUPPORTED' } },
      });
    expect((await post({ team: 'BIG' }, { 'Content-Encoding': 'identity' })).status).toBe(400);
  });

  it('that is missing is reported as missing', async () => {
    const { status, body } = await stack.request('/admin/keys', { method: 'POST', key: stack.keys.operator });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'GENERAL_CONSTRAINT_VIOLATION', faults: [{ in: 'body', rule: 'required' }] });
  });

  it('is refused with every fault, its member, what was expected and a suggestion', async () => {
    const { status, body } = await post({ team: 'BIG', name: 7, scopes: ['content:reed'], hourlyLimit: 0 });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'GENERAL_CONSTRAINT_VIOLATION',
      faults: [
        { in: 'body', path: 'team' },
        { in: 'body', path: 'name', message: 'expected a text.' },
        { in: 'body', path: 'scopes.0', suggestion: 'content:read' },
        { in: 'body', path: 'hourlyLimit', message: 'expected at least 1.' },
      ],
    });
  });

  it('of a key with an unknown member is refused, with a suggestion when it is misspelt', async () => {
    const wanted = { team: 'nobody', name: 'x', scopes: ['admin'] };
    expect((await post({ ...wanted, hourlyLimits: 5 })).body).toMatchObject({
      faults: [{ suggestion: 'hourlyLimit' }],
    });
    expect((await post({ ...wanted, colour: 'red' })).body).toMatchObject({ code: 'GENERAL_CONSTRAINT_VIOLATION' });
  });

  it('that is long waits for other long bodies of its team, also without Content-Length', async () => {
    const text = `{"elements":[{"type":"T"}]${' '.repeat(70_000)}}`;
    const writeInChunks = async (): Promise<number> => {
      const { status } = await fetch(`${stack.gateway.url}${contentRestPath('/facets/f/views/v/elements')}`, {
        method: 'POST',
        headers: { AppKey: stack.keys.meridian, 'Content-Type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      });
      return status;
    };
    expect(await Promise.all(Array.from({ length: 8 }, writeInChunks))).toEqual(Array(8).fill(200));
    expect(echoHandlerCounts.writingMost).toBe(4);
  });

  it('is not read when the caller is refused', async () => {
    const { status, body } = await stack.request('/admin/keys', { method: 'POST', body: '{"broken', key: undefined });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'ACCESS_UNAUTHORIZED' });
  });

  it.each(['nonsense', ';', 'application/json, application/json', 'application/json x'])(
    'with the malformed Content-Type %j is refused after the credential is checked',
    async (type) => {
      const options = { method: 'POST', body: '{}', headers: { 'Content-Type': type } };
      const { status, body } = await stack.request('/admin/keys', { ...options, key: stack.keys.operator });
      expect([status, body?.['code']]).toEqual([415, 'GENERAL_MEDIATYPE_UNSUPPORTED']);
      expect((await stack.request('/admin/keys', { ...options, key: undefined })).status).toBe(401);
      expect((await stack.request('/nowhere', options)).status).toBe(415);
    },
  );

  it('with malformed JSON for an unknown path gets 400, not 404', async () => {
    const ask = async (body: string, headers = {}) =>
      (await stack.request('/nowhere', { method: 'POST', body, headers, key: undefined })).status;
    expect(await ask('{"broken')).toBe(400);
    expect(await ask('x'.repeat(1024 * 1024 + 1))).toBe(413);
    expect(await ask('{}')).toBe(404);
    expect(await ask('{"broken', { 'Content-Type': 'text/plain' })).toBe(404);
  });

  it('that its sender aborts does not end the process', async () => {
    const socket = connect({ host: '127.0.0.1', port: stack.gateway.port });
    const head = `POST /admin/keys HTTP/1.1\r\nHost: a\r\nAppKey: ${stack.keys.operator}\r\nContent-Type: application/json\r\n`;
    await new Promise((resolve) => socket.write(`${head}Content-Length: 100\r\n\r\n{"team"`, resolve));
    await waitUntil(async () => (await inProgress()) === 2);
    socket.destroy();
    await waitUntil(async () => (await inProgress()) === 1);
    expect((await post('{}')).status).toBe(400);
  });
});

/** Requests under way, this one included. */
const inProgress = async (): Promise<number> =>
  Number(/^tessera_http_requests_in_progress\S* (\d+)$/m.exec((await stack.request('/metrics')).text)?.[1]);
