import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { connectNats, OperationClient, silentLog, type NatsLink } from './index.js';
import { connectTimeoutMs } from './testing/test-service.js';

describe('subjects that NATS refuses', () => {
  let nats: TestNats;
  let links: NatsLink[] = [];
  beforeAll(async () => {
    nats = await startTestNats();
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

  it('are none for a service with its own NATS user', async () => {
    const link = open('agents', nats.urlFor('agents'));
    new OperationClient({ link });
    await link.whenConnected(connectTimeoutMs);
    expect(await link.refusals(['tool-gateway', 'knowledge-models', 'content-repo'])).toEqual([]);
  });

  it('are the inbox and the calls that the NATS user of another service may not use', async () => {
    const link = open('gateway', nats.urlFor('tool-gateway'));
    new OperationClient({ link });
    await link.whenConnected(connectTimeoutMs);
    const refused = await link.refusals(['agents', 'content-repo']);
    expect(refused).toEqual([expect.stringContaining('_INBOX.gateway.'), 'op.agents.cancel-call']);
  });

  it('are unknown without a connection, and a permanent connection fault is reported', async () => {
    const link = open('agents', nats.urlFor('agents').replace(/:[^:@]+@/, ':another@'));
    await waitUntil(() => link.fault === 'user');
    expect(await link.refusals(['content-repo'])).toBeUndefined();
    const away = open('agents', 'nats://127.0.0.1:1');
    expect(await away.whenConnected(300)).toBe(false);
    expect(away.fault).toBeUndefined();
  });

  it('are not checked when the address requires TLS and the server has none', async () => {
    const link = open('agents', nats.urlFor('agents').replace('nats://', 'tls://'));
    await waitUntil(() => link.fault === 'encryption');
    expect(link.connected).toBe(false);
  });
});
