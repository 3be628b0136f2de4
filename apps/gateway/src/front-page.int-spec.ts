import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestStack, type TestStack } from './testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

const get = (accept?: string) =>
  stack.request('/', { key: undefined, ...(accept !== undefined && { headers: { accept } }) });

it.each([undefined, '*/*', 'text/html', 'text/html,application/json;q=0.9', 'application/json;q=0, text/html'])(
  'answers a page without a credential: %s',
  async (accept) => {
    const answer = await get(accept);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...answer.text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(['docs', 'openapi.json', 'health/ready']);
    for (const link of links) expect((await stack.request(`/${link}`, { key: undefined })).status).toBe(200);
  },
);

it('takes no script, no frame and no style but its own', async () => {
  const answer = await get();
  const style = /<style>(.*)<\/style>/.exec(answer.text)?.[1] ?? '';
  const digest = createHash('sha256').update(style).digest('base64');
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
});

it.each(['application/json', 'application/json, */*;q=0.5', 'text/html;q=0.3, application/json;q=0.4'])(
  'answers the same addresses as JSON to programs: %s',
  async (accept) => {
    const answer = await get(accept);
    expect([answer.status, answer.headers.get('vary')]).toEqual([200, expect.stringMatching(/accept/i)]);
    const links = JSON.parse(answer.text) as Readonly<Record<string, string>>;
    expect(Object.keys(links)).toEqual([
      ...['docs', 'openapi', 'health', 'content', 'knowledgeModels', 'odata', 'mcp', 'agents'],
    ]);
    const document = JSON.parse((await stack.request('/openapi.json', { key: undefined })).text) as { paths: object };
    const said = ['/docs', '/openapi.json', '/health/ready', ...Object.keys(document.paths)];
    for (const link of Object.values(links)) expect(said).toContain(decodeURI(link.replace(/^https?:\/\/[^/]+/, '')));
  },
);
