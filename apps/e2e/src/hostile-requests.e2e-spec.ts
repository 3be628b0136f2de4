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
