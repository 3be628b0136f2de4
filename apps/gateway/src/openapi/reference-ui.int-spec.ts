import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRawRequest } from '../testing/raw-request.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

/** The path as it is: HTTP clients would resolve it before they send it. */
const get = (path: string, method = 'GET') =>
  sendRawRequest(stack.gateway.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

describe('the pages of the reference', () => {
  it.each(['/docs', '/docs/'])('are served at %s, with their assets', async (path) => {
    const page = await stack.request(path, { key: undefined });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    const types = await Promise.all(
      addresses.map(async (address) => {
        const { pathname } = new URL(address, `http://gateway${path}`);
        const file = await stack.request(pathname, { key: undefined });
        return [file.status, file.headers.get('content-type')];
      }),
    );
    expect(types).toEqual([
      [200, 'image/png'],
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ]);
  });

  it('load only their own files, and do not store the key', async () => {
    const { text, headers } = await stack.request('/docs', { key: undefined });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<style|style=|<script>|onload/);
    const { text: script } = await stack.request('/docs/start.js', { key: undefined });
    expect(script).toContain('persistAuthorization: false');
    expect(script).toContain('validatorUrl: null');
  });

  it('have assets that are compressed, and cached by browsers as immutable', async () => {
    const { text } = await stack.request('/docs', { key: undefined });
    const path = `/${/docs\/[\d.]+\/swagger-ui-bundle\.js/.exec(text)?.[0]}`;
    const coded = await stack.request(path, { key: undefined, headers: { 'accept-encoding': 'gzip' } });
    expect(coded.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    const plain = await stack.request(path, { key: undefined, headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(Number(coded.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 3);
    for (const { headers } of [coded, plain]) expect(headers.get('vary')).toBe('Accept-Encoding');
  });

  it('have a document that is sent compressed, and answered with 304 to a client that has it', async () => {
    const path = '/openapi.json';
    const coded = await stack.request(path, { key: undefined, headers: { 'accept-encoding': 'gzip' } });
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    const first = await stack.request(path, { key: undefined });
    const etag = first.headers.get('etag') ?? '';
    const again = await stack.request(path, { key: undefined, headers: { 'if-none-match': `"other", ${etag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await stack.request(path, { key: undefined, headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.text]).toEqual([200, first.text]);
  });

  it.each([
    '/docs/..',
    '/docs/../',
    '/docs/../package.json',
    '/docs/../../package.json',
    '/docs/./../..',
    '/docs/.',
    '/docs/./',
    '/docs//',
    '/docs//..',
    '/docs//etc/passwd',
    '/docs/%2e%2e',
    '/docs/%2e%2e/package.json',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%252e%252e%252fpackage.json',
    '/docs/..\\..\\package.json',
    '/docs/%5c..%5cpackage.json',
    '/docs/..%5c',
    '/docs/%c0%ae%c0%ae/',
    '/docs/%',
    '/docs/%zz',
    '/docs/%ff',
    '/docs/%00',
    '/docs/a%00.js',
    '/docs/%0d%0aX: y',
    '/docs/.env',
    '/docs/.git/config',
    '/docs/package.json',
    '/docs/index.html/..',
    '/docs/swagger-ui.css',
    '/docs/1.0.0/swagger-ui.css',
    '/docs/swagger-ui.css/../../package.json',
    '/docs/~root',
    '/docs/con',
    '/docs/a:b',
    '/docs/%f0%9f%98%80',
    `/docs/${'a'.repeat(300)}`,
    `/docs/${'a'.repeat(5_000)}`,
    `/docs/${'../'.repeat(3_000)}etc/passwd`,
    `/docs/${'%2e%2e%2f'.repeat(1_000)}etc/passwd`,
    `/docs/${'a/'.repeat(4_000)}`,
    '/docs/..?a=1',
    '/docs/../docs',
    '/docs-json/..',
    '/..',
    '/../..',
  ])('answer 404 at %.60s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(path, method);
      expect([400, 404]).toContain(statusOf(answer));
      expect(answer).not.toMatch(/node_modules|root:|"dependencies"|at \w+ \(/);
    }
  });

  it('log no errors', () => {
    expect(stack.gateway.logged.filter((line) => line.includes('a bug'))).toEqual([]);
  });
});
