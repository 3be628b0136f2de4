import { getEventListeners } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, isRunning, serviceNames } from '@tessera/local-stack';
import { limitFileSize } from '@tessera/testing';
import pg from 'pg';
import { readEnvironmentFile } from './environment-file.js';
import { launch } from './launch.js';
import { resolveHomeFilePaths, readSettings, type Settings } from './settings.js';
import { openTerminal } from './terminal.js';

/** A fake service: it prints, reports that it is ready, and ends on request. */
const fakeService = `
console.log(JSON.stringify({ service: process.env.SERVICE, database: process.env.DATABASE_URL, nats: process.env.NATS_URL, port: process.env.GATEWAY_PORT, hosts: process.env.HTTP_TOOL_HOSTS, secrets: process.env.TOOL_SECRETS, models: process.env.MODEL_HOSTS }));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send('ready');
`;

type Started = {
  readonly settings: Settings;
  readonly output: () => string;
  /** Rejects when the start failed. */
  readonly ready: Promise<void>;
  readonly isWatched: () => boolean;
  readonly stop: () => Promise<void>;
};

let folder: string;

/** The launcher gives itself five seconds, a busy machine all this. */
const stopMaxMs = 60_000;

const startIn = (home: string, more: Readonly<Record<string, string>>): Started => {
  const settings = readSettings({ TESSERA_HOME: home, TESSERA_DEMO: 'none', ...more }, folder);
  let output = '';
  const ready = Promise.withResolvers<void>();
  const write = (text: string): void => {
    output += text;
    if (text.startsWith('READY ')) ready.resolve();
  };
  const stopping = new AbortController();
  const giveUp = (): void => ready.reject(new Error('the stop was not over in time'));
  const terminal = openTerminal({ write }, {});
  const done = launch({ settings, checkout: folder, terminal, stopping: stopping.signal, giveUp });
  done.then(() => ready.reject(new Error(`ended before READY:\n${output}`)), ready.reject);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await done;
  };
  const isWatched = (): boolean => getEventListeners(stopping.signal, 'abort').length > 0;
  return { settings, output: () => output, ready: ready.promise, stop, isWatched };
};

const pidsOf = (home: string): Readonly<Record<string, readonly number[]>> =>
  JSON.parse(readFileSync(resolveHomeFilePaths(home).pids, 'utf8')) as Record<string, readonly number[]>;

const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 2_500) throw new Error(`it did not become so: ${holds.toString()}`);
    await sleep(20);
  }
};

/** The environment of a fake service, from its line in the terminal. */
const environmentOf = (output: string, source: string): Readonly<Record<string, string>> => {
  const line = output.split('\n').find((text) => text.slice(9).startsWith(source.padEnd(17)) && text.includes('{'));
  return JSON.parse(line?.slice(line.indexOf('{')) ?? '{}') as Record<string, string>;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-launch-'));
  chmodSync(folder, 0o711);
  for (const service of serviceNames) {
    mkdirSync(join(folder, 'apps', service, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'apps', service, 'dist', 'main.js'), fakeService);
    writeFileSync(join(folder, 'apps', service, 'package.json'), '{"type":"module"}');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('on a full disk names the data folder, the free space and what is needed', async () => {
  const full = join(folder, 'full');
  const port = String(await findFreePort());
  const lift = limitFileSize(process.pid, 1_000_000);
  try {
    await expect(startIn(full, { GATEWAY_PORT: port }).ready).rejects.toThrow(
      /^There is no room for the data in \S+: \d+ MB are free on its disk, and a first start needs some 200 MB\./,
    );
  } finally {
    lift();
  }
});

describe('a launch', () => {
  let home: string;
  let started: Started;

  beforeAll(async () => {
    home = join(folder, 'home');
    started = startIn(home, { GATEWAY_PORT: String(await findFreePort()), LAUNCHER_REPLICAS: 'gateway=2' });
    await started.ready;
  });
  afterAll(() => started.stop());

  it('ends with one READY line that names the gateway, its documentation and the environment file', () => {
    const gateway = `http://localhost:${started.settings.gatewayPort}`;
    expect(started.output()).toContain(`in a second terminal: . ${home}/env   then, from any folder: tessera status\n`);
    expect(started.output().split('\n').at(-2)).toBe(`READY gateway=${gateway} docs=${gateway}/docs env=home/env`);
  });

  it('writes addresses and keys into a file that only its owner may read', () => {
    const path = resolveHomeFilePaths(home).environment;
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    const values = readEnvironmentFile(path);
    expect(Object.keys(values)).toEqual([
      ...[
        'TESSERA_HOME',
        'GATEWAY_URL',
        'GATEWAY_URLS',
        'ADMIN_KEY',
        'DEMO_KEY',
        'READONLY_KEY',
        'NORTHGATE_KEY',
        'TINY_KEY',
      ],
      ...['DATABASE_URL', 'NATS_URL', 'LAUNCHER_SERVERS'],
    ]);
    expect(new Set(Object.values(values)).size).toBe(11);
    expect(values['TESSERA_HOME']).toBe(home);
  });

  it('gives each service its own database role and NATS user', async () => {
    const gateway = environmentOf(started.output(), 'gateway.1');
    const content = environmentOf(started.output(), 'content-repo');
    expect(new URL(gateway['database'] ?? '').username).toBe('tessera_gateway');
    expect(new URL(content['database'] ?? '').username).toBe('tessera_content_repo');
    expect(new URL(environmentOf(started.output(), 'agents')['database'] ?? '').username).toBe('tessera_agents');
    expect(new URL(content['nats'] ?? '').username).toBe('content-repo');
    const client = new pg.Client({ connectionString: content['database'] });
    await client.connect();
    await expect(client.query('select * from gateway.api_key')).rejects.toThrow(/permission denied/);
    await client.end();
  });

  it('gives the second gateway its own port and writes both addresses', () => {
    const ports = ['gateway.1', 'gateway.2'].map((name) => environmentOf(started.output(), name)['port']);
    expect(new Set(ports).size).toBe(2);
    expect(readEnvironmentFile(resolveHomeFilePaths(home).environment)['GATEWAY_URLS']).toBe(
      ports.map((port) => `http://localhost:${port}`).join(','),
    );
  });

  it.each(['content-repo', 'nats-server', 'postgres'])('restarts %s after it was killed, and logs it', async (name) => {
    const [before] = pidsOf(home)[name] ?? [];
    process.kill(before ?? 0, 'SIGKILL');
    await until(() => started.output().includes(`${name} is back`));
    expect(started.output()).toMatch(new RegExp(`${name} \\(process ${before}\\) has died: signal SIGKILL`));
    await until(() => (pidsOf(home)[name] ?? []).some((pid) => pid !== before && isRunning(pid)));
  });

  it('rejects a second launcher on the same data folder, naming the setting', async () => {
    const second = startIn(home, { GATEWAY_PORT: String(await findFreePort()) });
    await expect(second.ready).rejects.toThrow(/TESSERA_HOME/);
  });

  it('rejects a data folder that is not writable, naming the setting', async () => {
    writeFileSync(join(folder, 'file'), '');
    const other = startIn(join(folder, 'file', 'home'), { GATEWAY_PORT: String(await findFreePort()) });
    await expect(other.ready).rejects.toThrow(/cannot be written to; set TESSERA_HOME/);
  });

  it('rejects a gateway port that is in use, naming the setting', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const other = startIn(join(folder, 'other'), { GATEWAY_PORT: String(port) });
    await expect(other.ready).rejects.toThrow(
      `Port ${port} is in use by another program; stop it, or set GATEWAY_PORT`,
    );
    taken.close();
    // Nothing is left that would end processes by force.
    expect(other.isWatched()).toBe(false);
  });

  it('rejects an unreachable database or a wrong password, naming the setting', async () => {
    const { DATABASE_URL = '' } = readEnvironmentFile(resolveHomeFilePaths(home).environment);
    const wrong = new URL(DATABASE_URL);
    wrong.password = 'another';
    for (const url of ['postgres://postgres:top-secret@127.0.0.1:1/tessera', wrong.href]) {
      const other = startIn(join(folder, 'foreign'), { GATEWAY_PORT: String(await findFreePort()), DATABASE_URL: url });
      await expect(other.ready).rejects.toThrow(/^The database at DATABASE_URL cannot be used: [^\n]+\.$/);
    }
  });

  it('stops in time, leaves no process behind, and keeps the keys for the next start', async () => {
    const before = readEnvironmentFile(resolveHomeFilePaths(home).environment);
    const pids = Object.entries(pidsOf(home)).flatMap(([name, list]) => (name === 'launcher' ? [] : list));
    expect(pids.length).toBe(8);
    const began = Date.now();
    await started.stop();
    expect(Date.now() - began).toBeLessThan(stopMaxMs);
    expect(pids.filter(isRunning)).toEqual([]);

    started = startIn(home, { GATEWAY_PORT: String(started.settings.gatewayPort), LAUNCHER_REPLICAS: 'gateway=2' });
    await started.ready;
    // The second gateway takes another port when its own is in use.
    const after = readEnvironmentFile(resolveHomeFilePaths(home).environment);
    expect(after).toEqual({ ...before, GATEWAY_URLS: after['GATEWAY_URLS'] });
  });
});

describe('a launch with the demo', () => {
  let started: Started;
  const models = '{"models.example": {"teams": ["meridian"]}}';

  beforeAll(async () => {
    mkdirSync(join(folder, 'apps', 'cli', 'bin'), { recursive: true });
    writeFileSync(join(folder, 'apps', 'cli', 'bin', 'tessera.mjs'), '');
    process.env['MODEL_HOSTS'] = models;
    started = startIn(join(folder, 'demo-home'), {
      ...{ GATEWAY_PORT: String(await findFreePort()), TESSERA_DEMO: 'tiny', LAUNCHER_REPLICAS: 'agents=2' },
    });
    await started.ready;
  });
  afterAll(() => {
    delete process.env['MODEL_HOSTS'];
    return started.stop();
  });

  it('gives the model settings to each replica of the agents, and to no other service', () => {
    for (const service of serviceNames.filter((name) => name !== 'agents')) {
      const environment = environmentOf(started.output(), service);
      expect([environment['service'], environment['models']]).toEqual([service, undefined]);
    }
    for (const replica of ['agents.1', 'agents.2'])
      expect(environmentOf(started.output(), replica)['models']).toBe(models);
  });

  it('prints the accounts that may sign in, each password once', () => {
    const values = readEnvironmentFile(resolveHomeFilePaths(join(folder, 'demo-home')).environment);
    const password = values['ANALYST_PASSWORD'] ?? '';
    expect(password).toMatch(/^[\w-]{20}$/);
    expect(started.output()).toContain(`anton.berg     ${password}   analyst`);
    expect(started.output().split(password)).toHaveLength(2);
  });

  it('starts a mock ERP and gives its address and token only to the tool gateway', async () => {
    const environment = environmentOf(started.output(), 'tool-gateway');
    const hosts = JSON.parse(environment['hosts'] ?? '{}') as Record<string, { readonly address: string }>;
    const secrets = JSON.parse(environment['secrets'] ?? '{}') as Record<string, { readonly value: string }>;
    const { address = '' } = hosts['erp.meridian.example'] ?? {};
    const headers = { authorization: `Bearer ${secrets['ERP_TOKEN']?.value}` };
    expect((await fetch(`${address}/invoices/5100000001`, { headers })).status).toBe(200);
    expect((await fetch(`${address}/invoices/5100000001`)).status).toBe(401);
    for (const other of ['gateway', 'knowledge-models', 'agents.1'])
      expect(environmentOf(started.output(), other)).toEqual(
        expect.not.objectContaining({ secrets: expect.anything() }),
      );
    await started.stop();
    await expect(fetch(address)).rejects.toThrow();
  });
});

describe('an interrupted launch', () => {
  it('kills a service that ignores signals', async () => {
    const home = join(folder, 'deaf');
    const main = join(folder, 'apps', 'agents', 'dist', 'main.js');
    writeFileSync(
      main,
      fakeService.replace("process.on('SIGTERM', () => process.exit(0))", "process.on('SIGTERM', () => undefined)"),
    );
    const started = startIn(home, { GATEWAY_PORT: String(await findFreePort()) });
    await started.ready;
    const pids = Object.entries(pidsOf(home)).flatMap(([name, list]) => (name === 'launcher' ? [] : list));
    const began = Date.now();
    await started.stop();
    expect(Date.now() - began).toBeLessThan(stopMaxMs);
    expect(pids.filter(isRunning)).toEqual([]);
    writeFileSync(main, fakeService);
  });

  it('ends as soon as a service rejects its settings, and prints the reason', async () => {
    const [refusing, waiting] = ['agents', 'gateway'].map((name) => join(folder, 'apps', name, 'dist', 'main.js'));
    const line = 'agents: MODEL_HOSTS is wrong; expected a JSON object';
    writeFileSync(refusing ?? '', `console.error('${line}'); process.exit(78);`);
    writeFileSync(waiting ?? '', fakeService.replace("process.send('ready');", 'setInterval(() => undefined, 1_000);'));
    const started = startIn(join(folder, 'refused'), { GATEWAY_PORT: String(await findFreePort()) });
    await expect(started.ready).rejects.toThrow('agents ended (exit code 78) before it was ready');
    expect(started.output()).toContain(line);
    for (const main of [refusing, waiting]) writeFileSync(main ?? '', fakeService);
  });

  it('leaves no process behind when it is stopped during the start', async () => {
    const home = join(folder, 'interrupted');
    const started = startIn(home, { GATEWAY_PORT: String(await findFreePort()) });
    started.ready.catch(() => undefined);
    await until(() => started.output().includes('nats-server started'));
    const pids = Object.entries(pidsOf(home)).flatMap(([name, list]) => (name === 'launcher' ? [] : list));
    await started.stop();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(() => readFileSync(resolveHomeFilePaths(home).lock)).toThrow();
  });
});
