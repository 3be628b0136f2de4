/**
 * No request breaks the product, blocks a process or gets an answer that reveals too much. Runs a sample of the
 * requests made from the OpenAPI document; `npm run hostile` sends 20,000. HOSTILE_SEED chooses others, HOSTILE_ONLY
 * those whose name contains a text.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildHostileRequests, type HostileRequest } from './hostile/hostile-requests.js';
import { operationsWithoutValidBody, createHostileTarget, type HostileTarget } from './hostile/hostile-target.js';
import { runHostileRequests } from './hostile/run-hostile.js';
import { sendHostileRequest } from './hostile/send-hostile.js';
import { startProduct, type Product } from './product.js';

const isFull = process.env['HOSTILE'] === 'full';
const seed = Number(process.env['HOSTILE_SEED'] ?? 16);
const only = process.env['HOSTILE_ONLY'] ?? '';
const count = isFull ? 20_000 : 400;

let product: Product;
let target: HostileTarget;
let requests: readonly HostileRequest[];
let document: unknown;
beforeAll(async () => {
  product = await startProduct({ demo: 'none', settings: { LAUNCHER_MANAGEMENT_PORTS: 'true' } });
  target = await createHostileTarget(product);
  document = await (await fetch(`${product.gateways[0]}/openapi.json`)).json();
  requests = buildHostileRequests(document, target.rightOf).filter(({ name }) => name.includes(only));
});
afterAll(() => product.stop());

it('the hostile requests are based on a valid body of each operation with a body', () => {
  expect(operationsWithoutValidBody(document)).toEqual([]);
  expect(requests.length).toBeGreaterThan(20_000);
});

/** A share of them in an order of chance: the same for the same seed. */
const chosen = (): readonly HostileRequest[] => {
  const length = Math.min(count, requests.length);
  const share = fc.shuffledSubarray([...requests], { minLength: length, maxLength: length });
  return fc.sample(share, { numRuns: 1, seed })[0] ?? [];
};

/** Bodies of nearly as much as is taken, with more faults than anybody reads; each held the gateway for up to seconds. */
const members = (count: number, prefix: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]));
const many: readonly (readonly [operation: string, what: string, body: () => object])[] = [
  [
    'content.elements.write',
    '200 elements with 500 unknown attributes each',
    () => ({ elements: Array.from({ length: 200 }, () => ({ type: 'process', attributes: members(500, 'un') })) }),
  ],
  ['agents.converse', '12,000 unknown members', () => ({ message: 'Hello', ...members(12_000, 'member') })],
  [
    'knowledge.models.postQuery',
    '12,000 unknown members',
    () => ({ projection: { kpis: ['REVENUE'] }, ...members(12_000, 'member') }),
  ],
  [
    'tools.mcp',
    '20,000 messages',
    () => Array.from({ length: 20_000 }, (_, id) => ({ ...{ jsonrpc: '2.0', method: 'x' }, id })),
  ],
  [
    'tools.call',
    '100,000 objects',
    () => ({ columns: ['REVENUE'], a: Array.from({ length: 100_000 }, () => ({ a: 1 })) }),
  ],
  ['tools.call', '90,000 integers', () => ({ columns: Array.from({ length: 90_000 }, (_, index) => index) })],
];

it.each(many)(
  'the gateway rejects a large body of %s (%s) with its fault, without blocking an event loop',
  async (operation, _, body) => {
    const right = requests.find(({ name }) => name.startsWith(`${operation}: a body that is`));
    if (!right) throw new Error(`There is no ${operation}.`);
    const bytes = Buffer.from(JSON.stringify(body()));
    const request = { ...right, name: operation, headers: { 'Content-Type': 'application/json' }, body: () => bytes };
    const { findings, statuses } = await runHostileRequests(product, target, [request]);
    expect(findings).toEqual([]);
    expect(Object.keys(statuses)).toEqual([operation === 'tools.call' ? '422' : '400']);
    const { body: answer } = await sendHostileRequest(product.gateways[0] ?? '', target.keyOf(operation), request);
    expect(answer).toMatch(
      /The request has more than 100 faults; the first \d+ are listed\.|An object in the body has more than 10000 members\.|expected at most 5,000 values|Batch must not exceed 100 messages/,
    );
  },
);

it(
  `the gateway answers ${count} hostile requests as expected (seed ${seed})`,
  async () => {
    const pids = await product.pids();
    const { findings, statuses } = await runHostileRequests(product, target, chosen());
    expect(findings.map(({ request, what }) => `${what}\n  ${request}`).join('\n')).toBe('');
    // They are not all rejected by the gateway, and none gets 429.
    expect(statuses).toMatchObject({ 200: expect.any(Number), 400: expect.any(Number), 404: expect.any(Number) });
    expect(statuses).not.toHaveProperty('401');
    expect(await product.pids()).toEqual(pids);
  },
  isFull ? 4 * 3_600_000 : undefined,
);
