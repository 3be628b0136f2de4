import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestStack, type TestStack } from './testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
afterAll(() => stack?.stop());

const get = (accept?: string) =>
  fetch(`${stack.gateway.url}/`, { redirect: 'manual', ...(accept !== undefined && { headers: { accept } }) });

it.each([
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html',
  'text/html,application/json;q=0.9',
  'application/json;q=0, text/html',
  'text/html, */*',
])('sends browsers to the console: %s', async (accept) => {
  const { status, headers } = await get(accept);
  expect([status, headers.get('location'), headers.get('vary')]).toEqual([
    ...[302, './console/', expect.stringMatching(/accept/i)],
  ]);
});

it.each([
  undefined,
  '*/*',
  'application/json',
  'application/json, text/html',
  'application/json, */*;q=0.5',
  'text/html;q=0.3, application/json;q=0.4',
  'text/html;q=0, */*',
])('answers the addresses of everything to programs: %s', async (accept) => {
  const answer = await get(accept);
  expect([answer.status, answer.headers.get('vary')]).toEqual([200, expect.stringMatching(/accept/i)]);
  const links = (await answer.json()) as Readonly<Record<string, string>>;
  expect(Object.keys(links)).toEqual([
    ...['console', 'docs', 'openapi', 'health', 'content', 'knowledgeModels', 'odata', 'mcp', 'agents'],
  ]);
  const document = JSON.parse((await stack.request('/openapi.json', { key: undefined })).text) as { paths: object };
  const said = ['/console/', '/docs', '/openapi.json', '/health/ready', ...Object.keys(document.paths)];
  for (const link of Object.values(links)) expect(said).toContain(decodeURI(link.replace(/^https?:\/\/[^/]+/, '')));
  for (const page of ['console', 'docs', 'openapi', 'health'])
    expect((await stack.request(new URL(links[page] ?? '').pathname, { key: undefined })).status).toBe(200);
});
