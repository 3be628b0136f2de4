/**
 * The rules of the Dockerfile, the Compose file, the NATS configuration and the files packed for a program. A planted
 * fault proves each rule.
 */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { natsRelease, printNatsUsersFromEnvironment } from '@tessera/local-stack';
import { createComposeSecretFiles, secretVariables } from '../apps/cli/src/operations/secret-names.js';
import { cliSettingDescriptions as cliSettings } from '../apps/cli/src/settings.js';
import { settingDescriptions as launcherSettings } from '../apps/launcher/src/settings.js';
import { composeFaults, programsIn, type Known } from './containers/compose.js';
import { dockerfileFaults, presetOf } from './containers/dockerfile.js';
import { serviceSchemas } from './settings/service-schemas.js';
import { readText, workspaceRoot } from './workspace/files.js';

const dockerfile = readText(workspaceRoot, 'docker/Dockerfile');
const compose = readText(workspaceRoot, 'docker/compose.yaml');
const natsUsers = printNatsUsersFromEnvironment();
const version = /"version": "([^"]+)"/.exec(readText(workspaceRoot, 'package.json'))?.[1] ?? '';

const names = (settings: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(settings.map(({ name }) => name));
const known: Known = {
  settings: new Map<string, ReadonlySet<string>>([
    ...Object.entries(serviceSchemas).map(([name, { shape }]) => [name, new Set(Object.keys(shape))] as const),
    ['cli', names(cliSettings)],
    ['launcher', names(launcherSettings)],
    ['postgres', new Set(['POSTGRES_DB', 'POSTGRES_INITDB_ARGS', 'POSTGRES_PASSWORD_FILE'])],
    ['nats', new Set([...natsUsers.matchAll(/\$(NATS_PASSWORD_\w+)/g)].map(([, name = '']) => name))],
  ]),
  secretFiles: createComposeSecretFiles(new Map(secretVariables.map((variable) => [variable, 'secret']))),
  version,
  door: 'gateway',
};

describe('the Dockerfile', () => {
  it('follows the rules', () => {
    expect(dockerfileFaults(dockerfile)).toEqual([]);
  });

  it('builds this version on the tested Node', () => {
    const node = /"node": "([\d.]+)"/.exec(readText(workspaceRoot, 'package.json'))?.[1];
    expect(presetOf(dockerfile, 'VERSION')).toBe(version);
    expect([...new Set([...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, tag]) => tag))]).toEqual([node]);
  });

  it.each([
    [
      'a base without a version',
      'FROM node:24.21.0-bookworm-slim AS build',
      'FROM node:latest AS build',
      'no image by',
    ],
    ['a stage that is not there', '--from=program', '--from=progam', 'there is no stage progam'],
    ['root', 'USER 10001:10001', 'USER root', 'the user "root"'],
    ['root by its number', 'USER 10001:10001', 'USER 0:0', 'the user "0:0"'],
    ['no user', 'USER 10001:10001\n', '', 'the user ""'],
    ['a shell', /^ENTRYPOINT .*$/m, 'ENTRYPOINT node /app/main.js', 'a shell around it'],
    ['no health check', /^HEALTHCHECK .*\n/m, '', 'no health check'],
    ['a health check in a shell', /^HEALTHCHECK .*$/m, 'HEALTHCHECK CMD node /app/health.mjs', 'shell around it'],
    ['no signal to stop', /^STOPSIGNAL.*\n/m, '', 'no STOPSIGNAL'],
    ['ADD', 'COPY --from=system', 'ADD --from=system', 'ADD takes'],
    ['a secret as an argument', 'ARG REVISION', 'ARG NPM_TOKEN\nARG REVISION', 'a secret would stay'],
    ['a secret in the environment', 'ENV NODE_ENV=production', 'ENV ADMIN_KEY=x NODE_ENV=production', 'a secret would'],
    ['a label that is missing', 'image.revision', 'image.revison', 'no label org.opencontainers.image.revision='],
  ])('is reported for %s', (_, sound, planted, fault) => {
    const text = dockerfile.replace(sound, planted);
    expect(text).not.toBe(dockerfile);
    expect(dockerfileFaults(text)).toEqual([expect.stringMatching(new RegExp(`^line \\d+: .*${fault}`))]);
  });
});

describe('the Compose file', () => {
  it('follows the rules', () => {
    expect(composeFaults(compose, known)).toEqual([]);
  });

  it('has every service, the migration and the demo', () => {
    expect(programsIn(compose).toSorted()).toEqual([...Object.keys(serviceSchemas), 'cli', 'launcher'].toSorted());
  });

  it.each([
    [
      'an image without a version',
      `nats:${natsRelease}-alpine`,
      'nats:latest',
      'nats: nats:latest is no image by its version',
    ],
    [
      'an older image',
      `tessera/cli:${version}`,
      'tessera/cli:0.0.9',
      `migrate: tessera/cli:0.0.9 is not tessera/cli:${version}`,
    ],
    ['a setting that nobody reads', 'TESSERA_DEMO:', 'TESSERA_DEM:', 'demo: launcher does not read TESSERA_DEM'],
    ['a variable that nobody makes', '${TESSERA_DEMO:-demo}', '${TESSERA_DEMO:?}', 'demo: nobody makes TESSERA_DEMO'],
    [
      'a secret that is shown',
      '      TESSERA_DEMO:',
      '      ADMIN_KEY: tsk_a_b\n      TESSERA_DEMO:',
      'demo: everybody who may inspect the container sees ADMIN_KEY',
    ],
    ["another's secret", 'source: agents', 'source: gateway', 'agents: another service has the secret gateway as well'],
    ["another program's secret", 'source: agents', 'source: migrate', 'agents: agents does not read ADMIN_KEY'],
    ['a secret that nobody makes', 'source: agents', 'source: agent', 'agents: nobody makes the secret agent'],
    ['a secret of another file', 'file: secrets/nats', 'file: nats', 'nats: nobody makes the secret nats'],
    [
      'another service in the open',
      'APP: agents } }',
      "APP: agents } }\n    ports: ['127.0.0.1:9:9']",
      'agents: it is published',
    ],
    ['a port for everybody', "'127.0.0.1:${GATEWAY", "'${GATEWAY", 'gateway: .* is published beyond this machine'],
    [
      'a name of its own',
      'APP: agents } }',
      'APP: agents } }\n    container_name: agents',
      'agents: a name of its own',
    ],
    ['capabilities', 'APP: agents } }', 'APP: agents } }\n    cap_add: [NET_RAW]', 'agents: it has capabilities'],
    ['no limit of memory', 'mem_limit: 2g', 'mem_swappiness: 2', 'postgres: its memory has no limit'],
    [
      'a health check that is missing',
      'healthcheck: { disable: true }',
      'init: false',
      'migrate: there is no health check',
    ],
    ['a health that nobody checks', '&ready\n', '&ready\n    disable: true\n', 'others wait for its health'],
    ['a wait for what is not there', 'agents: { condition', 'agent: { condition', 'demo: it waits for agent, which'],
    ['a volume that is not there', 'postgres:/var', 'postgress:/var', 'postgres: there is no volume postgress'],
  ])('is reported for %s', (_, sound, planted, fault) => {
    const text = compose.replace(sound, () => planted);
    expect(text).not.toBe(compose);
    expect(composeFaults(text, known)).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(fault.replaceAll('{', '\\{')))]),
    );
  });

  it.each([
    ['read_only: true', 'its file system can be written to'],
    ['cap_drop: [ALL]', 'it has capabilities'],
    ["security_opt: ['no-new-privileges:true']", 'it may get new privileges'],
  ])('is reported for every service when %s is missing', (line, fault) => {
    const faults = composeFaults(compose.replace(`  ${line}\n`, ''), known);
    expect(faults.filter((one) => one.endsWith(fault))).toHaveLength(9);
  });
});

describe('the configuration of NATS', () => {
  it('gives the users exactly the permissions of the code', () => {
    const text = readText(workspaceRoot, 'docker/nats.conf');
    expect(text.slice(text.indexOf('authorization'))).toBe(natsUsers);
  });

  it('makes a new container of Compose when it changes, by its digest in a label', () => {
    const digest = createHash('sha256').update(readText(workspaceRoot, 'docker/nats.conf')).digest('hex');
    expect(compose).toContain(`labels: { tessera.configuration: ${digest} }`);
  });
});

describe('nats-server', () => {
  it.each([
    ['docker/compose.yaml', /image: nats:(\S+)/g],
    ['k8s/overlays/local/nats.yaml', /image: nats:(\S+)/g],
    ['k8s/overlays/production/nats.values.yaml', /^ {2}image: \{ tag: (\S+) \}/gm],
  ])('is the version of the launcher in %s', (file, image) => {
    const tags = [...readText(workspaceRoot, file).matchAll(image)].map(([, tag]) => tag);
    expect(tags).toEqual([`${natsRelease}-alpine`]);
  });
});

describe('the files packed for a program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-collect-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const plant = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const link = (place: string) => ({ resolved: place, link: true });
  const packages = {
    '': {},
    'apps/gateway': {
      dependencies: { '@t/console': '*', '@t/lib': '*', web: '1.0.0' },
      devDependencies: { tester: '1.0.0' },
    },
    'apps/console': { dependencies: { bundled: '1.0.0' } },
    'node_modules/@t/console': link('apps/console'),
    'libs/lib': { dependencies: { deep: '2.0.0' }, devDependencies: { '@t/testing': '*' } },
    'libs/testing': {},
    'node_modules/@t/lib': link('libs/lib'),
    'node_modules/@t/testing': link('libs/testing'),
    'node_modules/web': {
      dependencies: { deep: '1.0.0', native: '1.0.0' },
      optionalDependencies: { native: '1.0.0' },
      peerDependencies: { peer: '1.0.0', unused: '1.0.0' },
      peerDependenciesMeta: { unused: { optional: true } },
    },
    'node_modules/web/node_modules/deep': {},
    ...Object.fromEntries(
      ['deep', 'peer', 'tester', 'native', 'unused', 'bundled'].map((name) => [`node_modules/${name}`, {}]),
    ),
  };
  const run = (program: string, target: string) =>
    spawnSync(process.execPath, [join(workspaceRoot, 'docker', 'collect-app.mjs'), program, target], {
      cwd: folder,
      encoding: 'utf8',
    });
  const collected = (below = ''): readonly string[] =>
    readdirSync(join(folder, 'out', below), { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? collected(join(below, entry.name)) : [join(below, entry.name)]))
      .toSorted();

  it('are its build and its dependencies, without sources, tests and development packages', () => {
    plant({
      'package-lock.json': JSON.stringify({ packages }),
      'docker/health.mjs': '',
      'docker/environment.mjs': '',
      'apps/console/package.json': '{}',
      'apps/console/src/main.tsx': 'source',
      'apps/console/dist/licences.md': 'licences',
      'apps/console/dist/assets/index.js.br': 'pages',
      'apps/gateway/package.json': '{}',
      'apps/gateway/bin/start.mjs': 'start',
      'apps/gateway/bin/start.d.mts': 'types',
      'apps/gateway/src/main.ts': 'source',
      'apps/gateway/dist/main.js': `run();\n//# sourceMappingURL=data:application/json;base64,c291cmNl\n`,
      'apps/gateway/dist/testing/fake.js': 'test',
      'libs/lib/package.json': '{}',
      'libs/lib/dist/index.js': 'lib',
      'node_modules/web/index.js': 'web',
      'node_modules/web/index.d.ts': 'types',
      'node_modules/web/README.md': 'text',
      'node_modules/web/LICENSE.md': 'licence',
      'node_modules/web/node_modules/deep/index.js': 'deep 1',
      ...Object.fromEntries(
        ['deep', 'peer', 'tester', 'native', 'unused', 'bundled'].map((name) => [
          `node_modules/${name}/index.js`,
          name,
        ]),
      ),
    });
    expect(run('gateway', join(folder, 'out'))).toMatchObject({ status: 0, stderr: '' });
    expect(collected()).toEqual([
      'apps/console/dist/assets/index.js.br',
      'apps/console/dist/licences.md',
      'apps/console/package.json',
      'apps/gateway/bin/start.mjs',
      'apps/gateway/dist/main.js',
      'apps/gateway/package.json',
      'environment.mjs',
      'health.mjs',
      'libs/lib/dist/index.js',
      'libs/lib/package.json',
      'main.js',
      'node_modules/@t/console',
      'node_modules/@t/lib',
      'node_modules/deep/index.js',
      'node_modules/peer/index.js',
      'node_modules/web/LICENSE.md',
      'node_modules/web/index.js',
      'node_modules/web/node_modules/deep/index.js',
    ]);
    expect(readFileSync(join(folder, 'out/main.js'), 'utf8').trim()).toBe('run();');
    expect(readlinkSync(join(folder, 'out/node_modules/@t/lib'))).toBe('../../libs/lib');
  });

  it('fail for an unknown program', () => {
    expect(run('gatway', join(folder, 'none'))).toMatchObject({ status: 2 });
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
