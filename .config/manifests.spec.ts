import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { subjectPermissionsOf, serviceNames } from '../libs/local-stack/src/nats-permissions.js';
import { connectionFaults, poolFiles, redundancyFaults } from './manifests/check-connections.js';
import {
  imageFaults,
  probeFaults,
  resourceFaults,
  securityFaults,
  stopFaults,
  versionFaults,
} from './manifests/check-containers.js';
import { referenceFaults } from './manifests/check-references.js';
import { typeFaults } from './manifests/check-types.js';
import { environmentFaults, environmentOf } from './manifests/environment.js';
import { reachOf } from './manifests/network.js';
import { type KubernetesObject, objectsOf, workloadsOf } from './manifests/objects.js';
import { partiesOf } from './manifests/parties.js';
import { programs, secrets, sumOf, version } from './manifests/product.js';
import { reachFaults, reachText } from './manifests/reach.js';
import {
  committedSystems,
  digestIn,
  goldenPath,
  hasKubectl,
  headOf,
  rendered,
  sourcesDigest,
  type SystemName,
} from './manifests/render.js';
import { at, entriesAt, textAt } from './manifests/tree.js';
import { readText, workspaceRoot } from './workspace/files.js';

const natsFiles = {
  original: 'docker/nats.conf',
  copy: 'k8s/overlays/local/nats.golden.conf',
  users: 'k8s/overlays/production/nats-users.golden.yaml',
  values: 'k8s/overlays/production/nats.values.yaml',
} as const;

const passwordVariable = (user: string): string => `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/** The chart removes the quotes around values between `<<` and `>>`. */
const natsUsersText = (): string => {
  const users = [
    ...serviceNames.map((service) => ({
      user: service,
      password: `<< $${passwordVariable(service)} >>`,
      permissions: subjectPermissionsOf(service),
    })),
    { user: 'operator', password: `<< $${passwordVariable('operator')} >>` },
  ];
  const values = { config: { merge: { max_payload: '<< 1MB >>', authorization: { users } } } };
  return `# Made from libs/local-stack/src/nats-permissions.ts by UPDATE_GOLDENS=1; see nats.values.yaml.\n${stringify(values)}`;
};

const isUpdating = process.env['UPDATE_GOLDENS'] === '1';

/** The committed file, rewritten first when goldens are updated. */
const golden = (path: string, expected: string): string => {
  const file = join(workspaceRoot, path);
  if (isUpdating || !existsSync(file)) writeFileSync(file, expected);
  return readFileSync(file, 'utf8');
};

describe('the NATS users in the code', () => {
  it("match the configuration of the cluster's servers (UPDATE_GOLDENS=1 rewrites it)", () => {
    const original = readText(workspaceRoot, natsFiles.original);
    expect(golden(natsFiles.copy, original)).toBe(original);
    const users = natsUsersText();
    expect(golden(natsFiles.users, users)).toBe(users);
  });

  it('are applied before the services by the documented steps of an upgrade', () => {
    const [, steps = ''] =
      /^## Upgrade and rollback\n(.*?)^A migration/ms.exec(readText(workspaceRoot, 'docs/operations.md')) ?? [];
    const inOneLine = (text: string): string => text.replaceAll(/\s*(?:\\\n)?[\s#]+/g, ' ');
    const [command = ''] = /helm upgrade .*\n.*$/m.exec(readText(workspaceRoot, natsFiles.values)) ?? [];
    expect(command).toContain(natsFiles.users);
    expect(inOneLine(steps)).toContain(inOneLine(command));
    expect(steps.indexOf('helm upgrade')).toBeLessThan(steps.indexOf('kubectl apply'));
  });

  it('have passwords from existing secrets', () => {
    const expected = [...natsUsersText().matchAll(/<< \$(NATS_PASSWORD_\w+) >>/g)].map(([, name]) => name);
    const values: unknown = parse(readText(workspaceRoot, natsFiles.values));
    const passwords = entriesAt(values, 'container', 'env').map(([name, source]) => {
      const reference = at(source, 'valueFrom', 'secretKeyRef');
      const keys = secrets[textAt(reference, 'name') ?? ''] ?? [];
      return keys.includes(textAt(reference, 'key') ?? '') ? name : `${name} from nowhere`;
    });
    expect(passwords.sort()).toEqual(expected.sort());
  });
});

const objectsBySystem = new Map<SystemName, readonly KubernetesObject[]>();
const objectsIn = (system: SystemName): readonly KubernetesObject[] => objectsBySystem.get(system) ?? [];

const checkObjects = (system: SystemName): void => {
  it('limits and probes its containers, restricts their rights, and gives them time to stop', () => {
    const rules = [resourceFaults, probeFaults, securityFaults, imageFaults, stopFaults, versionFaults(version)];
    expect(rules.flatMap((rule) => rule(objectsIn(system)))).toEqual([]);
  });

  it('refers only to existing objects', () => {
    expect(referenceFaults(secrets)(objectsIn(system))).toEqual([]);
  });

  it('sets only existing settings, to valid values', () => {
    expect(environmentFaults(objectsIn(system), programs)).toEqual([]);
  });

  it('tells the gateway which proxies to believe where there are some', () => {
    const proxies = objectsIn(system).filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute');
    const gateway = workloadsOf(objectsIn(system)).find(({ name }) => name === 'gateway')?.containers[0];
    const trusted = gateway && environmentOf(objectsIn(system), gateway).values['TRUST_PROXY'];
    expect(trusted !== undefined).toBe(proxies.length > 0);
  });

  it('needs no more connections than PostgreSQL allows, at the maximum of replicas', () => {
    expect(connectionFaults(sumOf(objectsIn(system)))).toEqual([]);
  });

  it('has two replicas of each service in production', () => {
    expect(system === 'local' ? [] : redundancyFaults(objectsIn(system))).toEqual([]);
  });
};

const reachIn = (system: SystemName) => {
  const values: unknown = system === 'local' ? undefined : parse(readText(workspaceRoot, natsFiles.values));
  return reachOf(objectsIn(system), partiesOf(objectsIn(system), values));
};
const reachGolden = (system: SystemName): string => `.config/manifests/${system}-reach.golden.txt`;

describe.each(committedSystems)('the system %s', (system) => {
  const path = goldenPath(system);

  beforeAll(async () => {
    if (isUpdating && hasKubectl()) writeFileSync(join(workspaceRoot, path), await rendered(workspaceRoot, system));
    objectsBySystem.set(system, objectsOf(readText(workspaceRoot, path)));
  });

  it('matches the committed kustomize output (UPDATE_GOLDENS=1 rewrites it)', async () => {
    const text = readText(workspaceRoot, path);
    expect(digestIn(text)).toBe(sourcesDigest(workspaceRoot));
    // Where kubectl is missing or too old, the digest says that nothing has changed since; another version may only print it
    // in other lines.
    const printed = hasKubectl() ? await rendered(workspaceRoot, system) : text;
    expect(printed === text ? objectsIn(system) : objectsOf(printed)).toEqual(objectsIn(system));
  });

  it('allows only the network connections of the architecture', () => {
    expect(reachFaults(reachIn(system), system)).toEqual([]);
    const text = reachText(reachIn(system));
    expect(golden(reachGolden(system), text)).toBe(text);
  });

  checkObjects(system);
});

describe('production with every component', () => {
  const system = 'every-option';

  beforeAll(async () => {
    if (hasKubectl()) objectsBySystem.set(system, objectsOf(await rendered(workspaceRoot, system)));
  });

  it('allows only the network connections of the architecture, and was checked as its sources are now', () => {
    const head = headOf(system, workspaceRoot);
    // Where kubectl is missing or too old, only the digest is compared.
    if (!hasKubectl()) return expect(readText(workspaceRoot, reachGolden(system)).startsWith(head)).toBe(true);
    expect(reachFaults(reachIn(system), system)).toEqual([]);
    const text = head + reachText(reachIn(system));
    expect(golden(reachGolden(system), text)).toBe(text);
  });

  checkObjects(system);
});

it('every object has only members that Kubernetes and its operators define', () => {
  expect(typeFaults([...objectsBySystem.values()].flat())).toEqual([]);
});

it('a local cluster has the same servers as Compose', () => {
  const compose: unknown = parse(readText(workspaceRoot, 'docker/compose.yaml'), { merge: true });
  const local = workloadsOf(objectsIn('local'));
  const servers = local.filter(({ kind }) => kind === 'StatefulSet');
  const imageIn = (name: string) => [name, textAt(compose, 'services', name, 'image')];
  expect(servers.map(({ name, containers }) => [name, textAt(containers[0]?.tree, 'image')])).toEqual(
    ['nats', 'postgres'].map(imageIn),
  );
});

it('every pool of connections is counted', () => {
  expect(poolFiles(workspaceRoot)).toEqual([
    'apps/agents/src/database.module.ts',
    'apps/content-repo/src/database.module.ts',
    'apps/gateway/src/database.module.ts',
    'apps/knowledge-models/src/database.module.ts',
    'apps/tool-gateway/src/database.module.ts',
    'libs/persistence/src/outbox.ts',
    'libs/persistence/src/service-database.ts',
  ]);
});
