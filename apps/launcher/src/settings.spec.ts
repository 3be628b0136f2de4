import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.js';

describe('readSettings', () => {
  it('defaults to data below the checkout, port 8080, the demo, and one process per service', () => {
    expect(readSettings({}, '/checkout')).toEqual({
      home: '/checkout/.tessera',
      gatewayPort: 8080,
      demo: 'demo',
      replicas: { gateway: 1, agents: 1, 'tool-gateway': 1, 'knowledge-models': 1, 'content-repo': 1 },
      managementPorts: false,
    });
  });

  it('reads every setting, and treats an empty one as absent', () => {
    const settings = readSettings(
      {
        TESSERA_HOME: '/data',
        GATEWAY_PORT: '9090',
        TESSERA_DEMO: 'tiny',
        LAUNCHER_REPLICAS: 'gateway=2, content-repo=3',
        LAUNCHER_MANAGEMENT_PORTS: 'true',
        DATABASE_URL: 'postgres://me:secret@db.example/tessera',
        NATS_URL: '',
      },
      '/checkout',
    );
    expect(settings).toMatchObject({
      home: '/data',
      gatewayPort: 9090,
      demo: 'tiny',
      managementPorts: true,
      databaseUrl: 'postgres://me:secret@db.example/tessera',
    });
    expect(settings.replicas).toMatchObject({ gateway: 2, 'content-repo': 3, agents: 1 });
    expect(settings.natsUrl).toBeUndefined();
  });

  it("ignores server addresses that an earlier start wrote, and keeps the user's own", () => {
    const [own, started] = ['postgres://me:secret@db.example/tessera', 'postgres://postgres:x@127.0.0.1:4100/tessera'];
    const written = { LAUNCHER_SERVERS: `${started} nats://operator:y@127.0.0.1:4101` };
    const read = (environment: NodeJS.ProcessEnv) => readSettings({ ...written, ...environment }, '/checkout');
    const settings = read({ DATABASE_URL: started, NATS_URL: 'nats://operator:y@127.0.0.1:4101' });
    expect([settings.databaseUrl, settings.natsUrl]).toEqual([undefined, undefined]);
    expect(read({ DATABASE_URL: own }).databaseUrl).toBe(own);
  });

  it.each([
    [{ GATEWAY_PORT: '80a' }, 'GATEWAY_PORT is "80a"; expected a number from 1 to 65535.'],
    [{ GATEWAY_PORT: '70000' }, 'GATEWAY_PORT is "70000"; expected a number from 1 to 65535.'],
    [{ TESSERA_DEMO: 'big' }, 'TESSERA_DEMO is "big"; expected one of demo, tiny, load, none.'],
    [{ LAUNCHER_REPLICAS: 'gatway=2' }, 'LAUNCHER_REPLICAS names "gatway"; expected gateway,'],
    [{ LAUNCHER_REPLICAS: 'gateway=0' }, 'LAUNCHER_REPLICAS is "0"; expected a number from 1 to 16.'],
    [{ LAUNCHER_MANAGEMENT_PORTS: 'yes' }, 'LAUNCHER_MANAGEMENT_PORTS is "yes"; expected true or false.'],
    [{ LOG_FORMAT: 'yaml' }, 'LOG_FORMAT is "yaml"; expected one of text, json.'],
    [{ DATABASE_URL: 'db.example' }, 'DATABASE_URL is no address; expected one that begins with postgres://'],
    [{ NATS_URL: 'http://x' }, 'NATS_URL is no address; expected one that begins with nats://'],
  ])('rejects %j, naming the expected value', (environment, message) => {
    expect(() => readSettings(environment, '/checkout')).toThrow(message);
  });
});
