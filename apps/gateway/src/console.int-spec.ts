import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readConsole } from './console.js';
import { consolePage, consoleScript } from './testing/console-build.js';
import { openTestStack, type TestStack } from './testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

type Received = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** As it is: `fetch` would decompress and resolve the path. */
const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    const sent = sendRequest({ port: stack.gateway.port, path, method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    });
    sent.on('error', reject).end();
  });

const script = `/console/${consoleScript.path}`;

describe('the page of the console', () => {
  it.each([
    '/console/',
    '/console/index.html',
    '/console/processes',
    '/console/processes/p2p/a.b%2Fc?facet=main&open=1',
    '/console/%F0%9F%98%80',
    '/console/.vite/manifest.json',
    '/console/.sources.json',
    '/console/..%2f..%2fpackage.json',
    '/console/../package.json',
    `/console/${'a/'.repeat(500)}`,
    `/console/ask/${'x'.repeat(2_000)}`,
  ])('is answered at %.60s, and asked for again', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'text/html; charset=utf-8', consolePage]);
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('does not stand before a storage whose collection is called as it is', async () => {
    const answer = await get('/console/processes/_api/rest/facets', { appkey: stack.keys.meridian });
    expect(answer.headers['content-type']).toContain('json');
    expect((await get('/console/processes/_api/rest/facets')).status).toBe(401);
  });

  it('takes scripts, styles and data from this origin alone, and stands in no frame', async () => {
    const { headers } = await get('/console/');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' },
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('is not sent again to who has it', async () => {
    const { etag = '' } = (await get('/console/')).headers;
    const again = await get('/console/anywhere', { 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
  });

  it('is reached without the slash as well', async () => {
    const { status, headers } = await get('/console');
    expect([status, headers.location]).toEqual([308, './console/']);
  });
});

describe('a file of the console', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['br', '*', brotliDecompressSync],
    ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
    [undefined, 'identity', (body: Buffer) => body],
    [undefined, 'identity, br;q=0.5', (body: Buffer) => body],
  ])('comes as %s to who accepts %s', async (coding, accepted, decode) => {
    const { status, headers, body } = await get(script, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
      ...[200, coding, 'text/javascript; charset=utf-8'],
    ]);
    expect(decode(body).toString()).toBe(consoleScript.text);
    expect(headers.vary).toBe('Accept-Encoding');
  });

  it('never changes under its name', async () => {
    expect((await get(script)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('has the headers of GET and no body for HEAD', async () => {
    const coded = { 'accept-encoding': 'br' };
    for (const path of [script, '/console/', '/console/deep/address']) {
      const [whole, head] = [await get(path, coded), await get(path, coded, 'HEAD')];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      const { date: _one, 'x-request-id': _own, ...headers } = head.headers;
      expect(whole.headers).toMatchObject(headers);
      expect(headers['content-length']).toBe(String(whole.body.length));
    }
  });

  it('that is not there is 404: an old page asks for files of an old build', async () => {
    for (const path of ['/console/assets/index-old.js', `${script}.br`, '/console/assets/..']) {
      const { status, headers, body } = await get(path);
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json; charset=utf-8']);
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'GENERAL_NOTFOUND_PATH' });
    }
  });

  it('is read only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await get('/console/', {}, method)).status).toBe(405);
  });
});

it('a gateway without a build says how it is made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-console-'));
  await expect(readConsole(folder)).rejects.toThrow(`There is no console in ${folder}; "npm run build" makes it.`);
  rmSync(folder, { recursive: true });
});
