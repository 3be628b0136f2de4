import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil, testNats, type TestNats } from '@tessera/testing';
import { connectNats, OperationClient, silentLog, type NatsLink } from './index.js';
import { connectWithinMs } from './testing/test-service.js';

describe('subjects that NATS refuses', () => {
  let nats: TestNats;
  let links: NatsLink[] = [];
  beforeAll(async () => {
    nats = await testNats();
  });
  afterEach(async () => {
    await Promise.all(links.map((link) => link.close()));
    links = [];
  });
  afterAll(() => nats.stop());

  const open = (service: string, url: string): NatsLink => {
    const link = connectNats({ url, service, log: silentLog });
    links.push(link);
    return link;
  };

  it('are none for a service with its own user', async () => {
    const link = open('agents', nats.urlFor('agents'));
    new OperationClient({ link });
    await link.whenConnected(connectWithinMs);
    expect(await link.refusals(['tool-gateway', 'knowledge-models', 'content-repo'])).toEqual([]);
  });

  it('are the inbox and the calls of another service', async () => {
    const link = open('gateway', nats.urlFor('tool-gateway'));
    new OperationClient({ link });
    await link.whenConnected(connectWithinMs);
    const refused = await link.refusals(['agents', 'content-repo']);
    expect(refused).toEqual([expect.stringContaining('_INBOX.gateway.'), 'op.agents.cancel-call']);
  });

  it('are unknown without a connection, whose permanent fault is reported', async () => {
    const link = open('agents', nats.urlFor('agents').replace(/:[^:@]+@/, ':another@'));
    await waitUntil(() => link.fault === 'user');
    expect(await link.refusals(['content-repo'])).toBeUndefined();
    const away = open('agents', 'nats://127.0.0.1:1');
    expect(await away.whenConnected(300)).toBe(false);
    expect(away.fault).toBeUndefined();
  });

  it('are checked only over TLS when the address demands it', async () => {
    const link = open('agents', nats.urlFor('agents').replace('nats://', 'tls://'));
    await waitUntil(() => link.fault === 'encryption');
    expect(link.connected).toBe(false);
  });
});
