import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectNats, OperationClient, silentLog } from '@tessera/messaging';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { slowOperation } from './testing/slow-operation.js';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

type Running = {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ready: Promise<void>;
  readonly ended: Promise<{ readonly code: number | null }>;
};

const children: ChildProcess[] = [];

const start = (environment: Record<string, string>): Running => {
  const child = fork(file('./testing/test-service-main.ts'), {
    execPath: process.execPath,
    execArgv: ['-C', 'development', '--import', file('./testing/run-typescript.mjs')],
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  let text = '';
  child.stdout?.on('data', (bytes: Buffer) => (text += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (text += bytes.toString()));
  return {
    child,
    output: () => text,
    ready: new Promise((resolve) => child.once('message', (message) => message === 'ready' && resolve())),
    // 'close' does not come after a disconnect; what was written may arrive after 'exit'.
    ended: Promise.all([
      once(child, 'exit'),
      ...[child.stdout, child.stderr].map((stream) => stream && once(stream, 'end')),
    ]).then(() => ({ code: child.exitCode })),
  };
};

const freePort = async (): Promise<number> => {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const get = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('a service process', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  const environment = (more: Record<string, string> = {}) => ({ NATS_URL: nats.urlFor('agents'), ...more });

  it('reports ready to its parent, serves health and metrics, and stops in order on SIGTERM', async () => {
    const port = await freePort();
    const { child, ready, ended, output } = start(environment({ MANAGEMENT_PORT: String(port) }));
    await ready;
    expect(await get(port, '/health/live')).toEqual({ status: 200, text: '{"status":"live"}' });
    expect(await get(port, '/health/ready')).toMatchObject({ status: 200 });
    expect((await get(port, '/metrics')).text).toContain('nodejs_eventloop_lag_max_seconds{service="agents"}');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(output()).toMatch(/serving ends[^]*publishing ends, NATS true[^]*resources end, NATS false/);
    expect(output()).toContain('"msg":"stopped"');
  });

  it('writes JSON lines without secrets', async () => {
    const { child, ready, ended, output } = start(environment());
    await ready;
    child.kill('SIGTERM');
    await ended;
    const line = output()
      .split('\n')
      .find((each) => each.includes('with secrets'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'info',
      service: 'agents',
      headers: { authorization: '[redacted]' },
      key: '[redacted]',
    });
  });

  it('waits for NATS and is not ready meanwhile, naming it', async () => {
    await nats.kill();
    const port = await freePort();
    const { ready, output } = start(environment({ MANAGEMENT_PORT: String(port) }));
    await waitUntil(() => output().includes('waiting for what'));
    const { status, text } = await get(port, '/health/ready');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toEqual({ status: 'not ready', checks: { nats: 'down', inbox: 'up', operations: 'up' } });
    await nats.restart();
    await ready;
  });

  it('answers running calls before it ends, and reports not ready for the configured delay', async () => {
    const port = await freePort();
    const settings = { MANAGEMENT_PORT: String(port), DRAIN_DELAY_MS: '300', STOP_TIMEOUT_MS: '60000' };
    const { child, ready, ended, output } = start(environment(settings));
    await ready;
    const link = connectNats({ url: nats.urlFor('gateway'), service: 'gateway', log: silentLog });
    const client = new OperationClient({ link });
    await link.whenConnected(60_000);
    const caller = { team: 'operators', subject: 'spec', scopes: ['admin'] as const };
    const frame = { caller, requestId: 'r', deadlineMs: Date.now() + slowOperation.timeoutMs, publicUrl: '' };
    const answer = client.call(slowOperation, {}, frame);
    await waitUntil(() => output().includes('working'));
    child.kill('SIGTERM');
    await waitUntil(async () => (await get(port, '/health/ready')).status === 503);
    expect(await get(port, '/health/ready')).toEqual({ status: 503, text: '{"status":"stopping","checks":{}}' });
    child.send('answer now');
    expect(await answer).toMatchObject({ ok: true });
    expect((await ended).code).toBe(0);
    expect(output()).toMatch(/answered[^]*publishing ends/);
    await link.close();
  });

  it('exits when its parent is gone', async () => {
    const { child, ready, ended, output } = start(environment());
    await ready;
    child.disconnect();
    expect((await ended).code).toBe(0);
    expect(output()).toContain('the parent process is gone');
  });

  it('exits after the timeout when a shutdown step hangs', async () => {
    const { child, ready, ended, output } = start(environment({ TEST_STUCK: 'true', STOP_TIMEOUT_MS: '600' }));
    await ready;
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    expect(output()).toContain('stopping took too long');
  });

  it('logs an unhandled rejection with its type and location, and exits', async () => {
    const { ended, output } = start(environment({ TEST_BUG: 'true' }));
    expect((await ended).code).toBe(1);
    // The message may hold what a caller wrote.
    expect(output()).not.toContain('nobody caught me');
    expect(output()).toContain('test-service-main.ts');
  });

  it('does not start with invalid settings, and names each of them with the expected value', async () => {
    const { ended, output } = start({
      NATS_URL: 'http://secret:word@here',
      STOP_TIMEOUT_MS: 'soon',
      LOG_LEVEL: 'loud',
    });
    expect((await ended).code).toBe(78);
    expect(output().split('\n')).toEqual([
      'agents: NATS_URL is wrong; expected addresses that begin with nats:// or tls://, separated by commas',
      expect.stringMatching(/^agents: LOG_LEVEL is wrong; expected one of trace, debug/),
      'agents: STOP_TIMEOUT_MS is wrong; expected a whole number of milliseconds from 100 to 300000',
      '',
    ]);
  });
});
