import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@tessera/local-stack';
import { waitUntil, createTestDatabase, startTestNats, type TestDatabase, type TestNats } from '@tessera/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGatewayProcess, type GatewayProcess } from './testing/gateway-process.js';

let database: TestDatabase;
let nats: TestNats;
let gateway: GatewayProcess | undefined;
beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
});
afterEach(() => gateway?.stop());
afterAll(() => Promise.all([database.drop(), nats.stop()]));

const readiness = async ({ url }: GatewayProcess) => {
  const response = await fetch(`${url}/health/ready`);
  const body: unknown = await response.json();
  return { status: response.status, body };
};
const isOpen = (at: GatewayProcess): Promise<boolean> =>
  fetch(`${at.url}/health/live`).then(
    () => true,
    () => false,
  );

describe('the port of a gateway', () => {
  it('stays closed until NATS is up, while the management port names what is missing', async () => {
    await nats.kill();
    const management = await findFreePort();
    const started = await startGatewayProcess({
      DATABASE_URL: database.urlFor('gateway'),
      NATS_URL: nats.urlFor('gateway'),
      MANAGEMENT_PORT: String(management),
      LISTEN_WAIT_MS: '600000',
    });
    gateway = started;
    await waitUntil(async () => {
      const told = await fetch(`http://127.0.0.1:${management}/health/ready`).then(
        (response) => response.text(),
        () => '',
      );
      return told.includes('"nats":"down"') && told.includes('"schema":"up"');
    });
    await sleep(500);
    expect(await isOpen(started)).toBe(false);
    await nats.restart();
    await started.whenReady();
    expect(await readiness(started)).toMatchObject({ status: 200 });
    // It was never open before it could serve, so there was nothing to wait for.
    expect(started.output()).not.toContain('waiting for what the service depends on');
  });

  it('opens anyway after a while and names what is missing', async () => {
    const started = await startGatewayProcess({
      DATABASE_URL: database.urlFor('gateway'),
      NATS_URL: `nats://gateway:x@127.0.0.1:${await findFreePort()}`,
      LISTEN_WAIT_MS: '1000',
    });
    gateway = started;
    await waitUntil(() => isOpen(started));
    expect(await readiness(started)).toMatchObject({ status: 503, body: { checks: { nats: 'down', database: 'up' } } });
    expect(started.output()).toContain('listening although NATS or the schema are not there yet');
  });
});
