/**
 * A Docker engine for try-compose.mjs: the one of this machine, or Debian's in a folder, with its own data and socket,
 * whose files and rules of the network are gone when it has been stopped.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
/** The first engine that knows `start_interval`, which the Compose file uses. */
const engineMin = 25;
const engineSuite = 'trixie';
const enginePackages = 'docker.io,docker-cli,docker-compose,docker-buildx,iptables,iproute2,ca-certificates';
const startedWithinMs = 60_000;
/** The tables that an engine writes to, as they are where nobody has; such tables are not saved. */
const untouchedRules = `*filter
:INPUT ACCEPT
:FORWARD ACCEPT
:OUTPUT ACCEPT
COMMIT
*nat
:PREROUTING ACCEPT
:INPUT ACCEPT
:OUTPUT ACCEPT
:POSTROUTING ACCEPT
COMMIT
`;

/** Runs a program to its end and answers its exit code and what it wrote. */
export const run = (command, parameters, { env = process.env, input = '' } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { env, cwd: checkout, stdio: ['pipe', 'pipe', 'pipe'] });
    const written = { output: '', errors: '' };
    child.stdout.on('data', (chunk) => (written.output += chunk));
    child.stderr.on('data', (chunk) => (written.errors += chunk));
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...written }));
  });

/** Runs a program that must end with 0, and answers its standard output. */
export const mustRun = async (command, parameters, options) => {
  const { code, output, errors } = await run(command, parameters, options);
  assert.equal(code, 0, `${command} ${parameters.join(' ')}\n${output.slice(-4_000)}${errors.slice(-4_000)}`);
  return output.trim();
};

/** A Debian of the suite, with what else it is to have, in `folder`. */
export const makeDebian = async (suite, packages, folder) => {
  if (existsSync(join(folder, 'etc/debian_version')) && !existsSync(join(folder, 'debootstrap'))) return;
  rmSync(folder, { recursive: true, force: true });
  assert.equal((await run('/bin/sh', ['-c', 'command -v debootstrap'])).code, 0, 'install the package debootstrap');
  // An older debootstrap does not know suites that are younger, which are made like the newest.
  const script = ['/usr/share/debootstrap/scripts', suite].join('/');
  const youngest = existsSync(script) ? [] : ['http://deb.debian.org/debian', '/usr/share/debootstrap/scripts/sid'];
  await mustRun('debootstrap', ['--variant=minbase', `--include=${packages}`, suite, folder, ...youngest]);
};

/** The versions of an engine and its Compose, if both answer. */
const versionsOf = async ([command, ...parameters]) => {
  const ask = (...words) => run(command, [...parameters, ...words]).catch(() => ({ code: 1 }));
  const engine = await ask('version', '--format', '{{.Server.Version}}');
  const compose = await ask('compose', 'version', '--short');
  return engine.code === 0 && compose.code === 0
    ? { engine: engine.output.trim(), compose: compose.output.trim() }
    : undefined;
};

/** Runs in mounts of its own whose root is the engine's folder; the checkout lies where it lies outside. */
const enter = `
mount --bind "$1" "$1"
mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys"
mkdir -p "$1$2" "$1/outside" && mount --bind "$2" "$1$2"
cd "$1" && pivot_root . outside && umount -l /outside
exec /usr/sbin/dockerd`;

const startEngine = async (folder) => {
  await makeDebian(engineSuite, enginePackages, folder);
  rmSync(join(folder, 'run/docker.pid'), { force: true });
  const saved = await mustRun('chroot', [folder, 'iptables-save']);
  const rules = `${untouchedRules}${saved}\n`;
  const parameters = ['--mount', '--propagation', 'private', '/bin/sh', '-ec', enter, 'sh', folder, checkout];
  const child = spawn('unshare', parameters, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said = (said + chunk).slice(-4_000)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.once('exit', () => child.kill('SIGTERM'));
  const docker = ['nsenter', '--target', String(child.pid), '--mount', 'env', '--chdir', checkout, 'docker'];
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await run('chroot', [folder, 'ip', 'link', 'delete', 'docker0']);
    await mustRun('chroot', [folder, 'iptables-restore'], { input: rules });
  };
  for (const givenUp = Date.now() + startedWithinMs; ; await sleep(500)) {
    const versions = await versionsOf(docker);
    if (versions !== undefined) return { docker, versions, stop };
    if (child.exitCode === null && Date.now() < givenUp) continue;
    await stop();
    assert.fail(`dockerd did not start:\n${said}`);
  }
};

/** How to call `docker`, the versions, and how to stop it; what it keeps is below `folder`. */
export const obtainEngine = async (folder) => {
  const versions = await versionsOf(['docker']);
  if (versions !== undefined && Number.parseInt(versions.engine, 10) >= engineMin)
    return { docker: ['docker'], versions, origin: 'the engine of this machine' };
  const why = versions === undefined ? 'no engine answered' : `engine ${versions.engine} is older than ${engineMin}`;
  assert.equal(process.getuid?.(), 0, `${why}, and one is started by root alone`);
  return { ...(await startEngine(folder)), origin: `${why}: Debian's, in a folder` };
};
