/**
 * Nothing that a caller sends breaks the product, holds a process or is answered with more than it needs to know. Here a
 * share of the requests that can be made of the OpenAPI document; `npm run hostile` sends 20,000 of them. HOSTILE_SEED
 * chooses others, HOSTILE_ONLY those whose name has a text.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chooseRequests } from './hostile/choose-requests.js';
import { hostileRequests, type HostileRequest } from './hostile/hostile-requests.js';
import { bodiesMissing, makeHostileTarget, type HostileTarget } from './hostile/hostile-target.js';
import { runHostile } from './hostile/run-hostile.js';
import { startProduct, type Product } from './product.js';

const isFull = process.env['HOSTILE'] === 'full';
const seed = Number(process.env['HOSTILE_SEED'] ?? 16);
const only = process.env['HOSTILE_ONLY'] ?? '';
const count = isFull ? 20_000 : 500;

let product: Product;
let target: HostileTarget;
let requests: readonly HostileRequest[];
let document: unknown;
beforeAll(async () => {
  product = await startProduct({ demo: 'none', settings: { LAUNCHER_MANAGEMENT_PORTS: 'true' } });
  target = await makeHostileTarget(product);
  document = await (await fetch(`${product.gateways[0]}/openapi.json`)).json();
  requests = hostileRequests(document, target.rightOf).filter(({ name }) => name.includes(only));
});
afterAll(() => product.stop());

it('has a right body for each operation that takes one', () => {
  expect(bodiesMissing(document)).toEqual([]);
  expect(requests.length).toBeGreaterThan(20_000);
});

it(
  `answers ${count} hostile requests (seed ${seed})`,
  async () => {
    const pids = await product.pids();
    const { findings, statuses } = await runHostile(product, target, chooseRequests(requests, count, seed));
    expect(findings.map(({ request, what }) => `${what}\n  ${request}`).join('\n')).toBe('');
    // They are not all refused at the door, and nobody is told to wait.
    expect(statuses).toMatchObject({ 200: expect.any(Number), 400: expect.any(Number), 404: expect.any(Number) });
    expect(statuses).not.toHaveProperty('401');
    expect(await product.pids()).toEqual(pids);
  },
  isFull ? 4 * 3_600_000 : undefined,
);
