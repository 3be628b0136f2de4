import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from '../testing/raw-request.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

/** The path as it is: HTTP clients would resolve it before they send it. */
const get = (path: string, method = 'GET') =>
  sendRaw(stack.gateway.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

describe('the pages of the reference', () => {
  it('are served', async () => {
    const page = await stack.request('/docs', { key: undefined });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const script = await stack.request('/docs/swagger-ui-bundle.js', { key: undefined });
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
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
    '/docs/swagger-ui.css/',
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
