import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startTestNats, type TestNats } from './test-nats.js';

const open = (url: string): Promise<NatsConnection> => {
  const { host, username, password } = new URL(url);
  return connect({ servers: host, user: username, pass: password, reconnect: false });
};

describe('startTestNats', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());

  it('rejects connections without a password', async () => {
    await expect(connect({ servers: new URL(nats.url).host, reconnect: false })).rejects.toThrow(/authorization/i);
  });

  it('breaks connections when killed and accepts them at the same address after a restart', async () => {
    const before = await open(nats.urlFor('gateway'));
    await nats.kill();
    await before.closed();
    await expect(open(nats.urlFor('gateway'))).rejects.toThrow();
    await nats.restart();
    const after = await open(nats.urlFor('gateway'));
    expect(after.isClosed()).toBe(false);
    await after.close();
  });
});
