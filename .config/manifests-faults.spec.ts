import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { connectionFaults, redundancyFaults } from './manifests/check-connections.js';
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
import { environmentFaults } from './manifests/environment.js';
import { reachOf } from './manifests/network.js';
import { type KubernetesObject, objectOf, objectsOf } from './manifests/objects.js';
import { partiesOf } from './manifests/parties.js';
import { programs, secrets, sumOf, version } from './manifests/product.js';
import { reachFaults } from './manifests/reach.js';
import { goldenPath } from './manifests/render.js';
import { at, entriesAt, textAt } from './manifests/tree.js';
import { readText, workspaceRoot } from './workspace/files.js';

const committed = (system: 'local' | 'production') => objectsOf(readText(workspaceRoot, goldenPath(system)));
const httpRoute: unknown = parse(readText(workspaceRoot, 'k8s/components/gateway-api/route.yaml'));
const systems = { local: committed('local'), production: committed('production') };

/** Members by name, items of a list by number or by their `name`. */
type Path = readonly (string | number)[];
/** The new value; undefined removes the member. */
type Change = (before: unknown) => unknown;

const put = (tree: unknown, [step, ...rest]: Path, change: Change): unknown => {
  if (step === undefined) return change(tree);
  if (Array.isArray(tree)) {
    const list: readonly unknown[] = tree;
    const index = typeof step === 'number' ? step : list.findIndex((item) => textAt(item, 'name') === step);
    return list.with(index, put(list[index], rest, change));
  }
  const inner = put(at(tree, step), rest, change);
  const others = entriesAt(tree).filter(([name]) => name !== step);
  return Object.fromEntries(inner === undefined ? others : [...others, [step, inner]]);
};

/** One object of a system, changed; the hash at the end of a name is left out of `place`. */
const changed = (system: keyof typeof systems, place: string, path: Path, change: Change) => {
  const [kind, name = ''] = place.split(' ');
  const index = systems[system].findIndex((object) => object.kind === kind && object.name.startsWith(name));
  return { index, object: objectOf(put(systems[system][index]?.tree, path, change)) };
};

const planted = (...subject: Parameters<typeof changed>): readonly KubernetesObject[] => {
  const { index, object } = changed(...subject);
  return systems[subject[0]].with(index, object);
};

const pod = ['spec', 'template', 'spec'];
const container = [...pod, 'containers', 0];
const variable = (name: string): Path => [...container, 'env', name];
const nothing: Change = () => undefined;
const listOf = (before: unknown): readonly unknown[] => (Array.isArray(before) ? before : []);

type Rule = (objects: readonly KubernetesObject[]) => readonly string[];
type Planted = readonly [what: string, rule: Rule, place: string, path: Path, change: Change, expected: string];

const opened: Rule = (objects) => reachFaults(reachOf(objects, partiesOf(objects, undefined)), 'local');

const containers: readonly Planted[] = [
  [
    'no limit of memory',
    resourceFaults,
    'Deployment agents',
    [...container, 'resources', 'limits', 'memory'],
    nothing,
    'Deployment agents, container tessera: has no memory in its limits',
  ],
  [
    'a container that prepares, without requests',
    resourceFaults,
    'Job migrate',
    [...pod, 'initContainers'],
    () => [{ name: 'first', resources: { limits: { cpu: '1', memory: '1Mi' } } }],
    'container first: has no cpu in its requests',
  ],
  [
    'a probe on a port that the container does not have',
    probeFaults,
    'Deployment gateway',
    [...container, 'readinessProbe', 'httpGet', 'port'],
    () => 'admin',
    'Deployment gateway, container tessera: readinessProbe asks port admin, which the container does not have',
  ],
  [
    'no probe',
    probeFaults,
    'StatefulSet nats',
    [...container, 'livenessProbe'],
    nothing,
    'StatefulSet nats, container nats: has no livenessProbe',
  ],
  [
    'a container that may run as root',
    securityFaults,
    'Deployment gateway',
    [...pod, 'securityContext', 'runAsNonRoot'],
    nothing,
    'Deployment gateway, container tessera: may run as root',
  ],
  [
    'a root file system that can be written',
    securityFaults,
    'StatefulSet postgres',
    [...container, 'securityContext', 'readOnlyRootFilesystem'],
    () => false,
    'StatefulSet postgres, container postgres: may write its root file system',
  ],
  [
    'capabilities that are kept',
    securityFaults,
    'Job migrate',
    [...container, 'securityContext', 'capabilities'],
    nothing,
    'container tessera: keeps capabilities',
  ],
  [
    'a folder of the host',
    securityFaults,
    'Deployment agents',
    [...pod, 'volumes', 'tmp', 'hostPath'],
    () => ({ path: '/' }),
    'Deployment agents, container tessera: reaches into its host',
  ],
  [
    'an image that may change',
    imageFaults,
    'StatefulSet nats',
    [...container, 'image'],
    () => 'nats:latest',
    'StatefulSet nats, container nats: its image nats:latest has neither version nor digest',
  ],
  [
    'an image of another version',
    versionFaults(version),
    'Deployment gateway',
    [...container, 'image'],
    () => 'tessera/gateway:99.0.0',
    `Deployment gateway, container tessera: its image is tessera/gateway:99.0.0, the version is ${version}`,
  ],
  [
    'a job of the version before',
    versionFaults('99.0.0'),
    'Job migrate',
    [],
    (before) => before,
    'Job migrate-0-1-0: its name does not end in -99-0-0, and a job cannot be changed',
  ],
  [
    'less time to stop than stopping may take',
    stopFaults,
    'Deployment gateway',
    [...pod, 'terminationGracePeriodSeconds'],
    () => 150,
    'Deployment gateway, container tessera: is killed after 150 s; preStop, drain and stop take 150 s',
  ],
];

const references: readonly Planted[] = [
  [
    'a secret that nobody makes',
    referenceFaults(secrets),
    'Deployment gateway',
    [...variable('NATS_PASSWORD'), 'valueFrom', 'secretKeyRef', 'name'],
    () => 'gateway',
    'Deployment gateway: there is no Secret gateway',
  ],
  [
    'a key that a secret does not have',
    referenceFaults(secrets),
    'Job migrate',
    [...variable('ADMIN_KEY'), 'valueFrom', 'secretKeyRef', 'key'],
    () => 'KEY',
    'Secret tessera-admin has no key KEY',
  ],
  [
    'a ConfigMap without that key',
    referenceFaults(secrets),
    'ConfigMap servers',
    ['data', 'NATS_HOST'],
    nothing,
    'has no key NATS_HOST',
  ],
  [
    'a ServiceAccount that is not there',
    referenceFaults(secrets),
    'Deployment agents',
    [...pod, 'serviceAccountName'],
    () => 'agent',
    'Deployment agents: there is no ServiceAccount agent',
  ],
  [
    'a volume that is not there',
    referenceFaults(secrets),
    'Deployment agents',
    [...pod, 'volumes'],
    nothing,
    'Deployment agents: there is no volume tmp',
  ],
  [
    'a Service for no pods',
    referenceFaults(secrets),
    'Service gateway',
    ['spec', 'selector'],
    () => ({ app: 'gateway' }),
    'Service gateway: selects 0 workloads',
  ],
  [
    'a port that no pod has',
    referenceFaults(secrets),
    'Service gateway',
    ['spec', 'ports', 0, 'targetPort'],
    () => 'https',
    'Service gateway: its pods have no port https',
  ],
  [
    'a disruption budget for two services',
    referenceFaults(secrets),
    'PodDisruptionBudget gateway',
    ['spec', 'selector', 'matchLabels'],
    () => ({ 'app.kubernetes.io/component': 'service' }),
    'PodDisruptionBudget gateway: selects no single workload',
  ],
  [
    'a selector for the pods of others',
    referenceFaults(secrets),
    'Deployment agents',
    ['spec', 'selector', 'matchLabels'],
    () => ({ app: 'agents' }),
    'Deployment agents: its selector is not for its pods',
  ],
];

const settings: readonly Planted[] = [
  [
    'a setting that the program does not have',
    (objects) => environmentFaults(objects, programs),
    'ConfigMap gateway',
    ['data', 'GATWAY_PORT'],
    () => '8080',
    'Deployment gateway, container tessera: GATWAY_PORT is no setting of this program',
  ],
  [
    'a value that the program refuses',
    (objects) => environmentFaults(objects, programs),
    'ConfigMap agents',
    ['data', 'STOP_TIMEOUT_MS'],
    () => '130s',
    'STOP_TIMEOUT_MS: expected a whole number of milliseconds from 100 to 300000',
  ],
  [
    'an address that the program refuses',
    (objects) => environmentFaults(objects, programs),
    'Deployment agents',
    [...variable('DATABASE_URL'), 'value'],
    () => 'mysql://$(DATABASE_HOST)',
    'DATABASE_URL: expected an address that begins with postgres:// or postgresql://',
  ],
  [
    'a variable that is named before it is said',
    (objects) => environmentFaults(objects, programs),
    'Deployment agents',
    [...container, 'env'],
    (before) => listOf(before).toReversed(),
    'Deployment agents, container tessera: DATABASE_URL names DATABASE_PASSWORD, which nothing before it says',
  ],
  [
    'a migration without the password of a service',
    (objects) => environmentFaults(objects, programs),
    'Job migrate',
    [...container, 'env'],
    (before) => listOf(before).filter((each) => textAt(each, 'name') !== 'DATABASE_PASSWORD_AGENTS'),
    'DATABASE_PASSWORD_AGENTS is missing',
  ],
];

const network: readonly Planted[] = [
  [
    'a policy that lets everybody in',
    opened,
    'NetworkPolicy gateway-from-callers',
    ['spec', 'ingress', 0, 'from'],
    nothing,
    'another namespace -> gateway:8080 is open',
  ],
  [
    'a label that lets a service out',
    opened,
    'Deployment content-repo',
    ['spec', 'template', 'metadata', 'labels', 'tessera/leaves-the-cluster'],
    () => 'true',
    'content-repo -> public address:443 is open',
  ],
  [
    'a range that holds private addresses',
    opened,
    'NetworkPolicy leaves-the-cluster',
    ['spec', 'egress', 0, 'to', 0, 'ipBlock', 'except'],
    nothing,
    'agents -> cloud metadata:80 is open',
  ],
  [
    'a policy that is for no pods',
    opened,
    'NetworkPolicy services-to-servers',
    ['spec', 'podSelector', 'matchLabels'],
    () => ({ 'app.kubernetes.io/component': 'services' }),
    'gateway -> nats:4222 is closed',
  ],
  [
    'no policy by default',
    opened,
    'NetworkPolicy nothing-by-default',
    ['spec', 'podSelector', 'matchLabels'],
    () => ({ nobody: 'true' }),
    'another namespace -> a stranger beside us:8080 is open',
  ],
];

describe('a planted fault', () => {
  it.each([...containers, ...references, ...settings, ...network])(
    'is reported: %s',
    (_what, rule, place, path, change, expected) => {
      const found = rule(planted('local', place, path, change));
      expect(found.filter((fault) => fault.includes(expected))).not.toEqual([]);
    },
  );

  it.each<Planted>([
    [
      'a scaler of nothing',
      referenceFaults(secrets),
      'HorizontalPodAutoscaler agents',
      ['spec', 'scaleTargetRef', 'name'],
      () => 'agent',
      'HorizontalPodAutoscaler agents: there is no Deployment agent',
    ],
    [
      'a container that a scaler looks at',
      referenceFaults(secrets),
      'HorizontalPodAutoscaler agents',
      ['spec', 'metrics', 0, 'containerResource', 'container'],
      () => 'agents',
      'HorizontalPodAutoscaler agents: agents has no container agents',
    ],
    [
      'two scalers of one service',
      referenceFaults(secrets),
      'HorizontalPodAutoscaler agents',
      ['spec', 'scaleTargetRef', 'name'],
      () => 'gateway',
      'HorizontalPodAutoscaler agents: gateway is scaled twice',
    ],
    [
      'a scaler that compares with the request',
      referenceFaults(secrets),
      'HorizontalPodAutoscaler agents',
      ['spec', 'metrics', 0, 'containerResource', 'target'],
      () => ({ type: 'Utilization', averageUtilization: 70 }),
      'HorizontalPodAutoscaler agents: agents is scaled by a share of its request, not by what a replica can do',
    ],
    [
      'a number of replicas beside a scaler',
      referenceFaults(secrets),
      'Deployment agents',
      ['spec', 'replicas'],
      () => 3,
      'HorizontalPodAutoscaler agents: agents has a number of replicas of its own',
    ],
    [
      'a way in to a port that is not there',
      referenceFaults(secrets),
      'Ingress gateway',
      ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port', 'name'],
      () => 'https',
      'Ingress gateway: there is no Service gateway with port https',
    ],
    [
      'more replicas than PostgreSQL has connections for',
      (objects) => connectionFaults(sumOf(objects)),
      'HorizontalPodAutoscaler content-repo',
      ['spec', 'maxReplicas'],
      () => 40,
      'PostgreSQL takes 560 connections; 1733 may be wanted',
    ],
    [
      'larger pools than PostgreSQL has connections for',
      (objects) => connectionFaults(sumOf(objects)),
      'ConfigMap agents',
      ['data', 'TURN_CONNECTIONS'],
      () => '100',
      'PostgreSQL takes 560 connections; 1189 may be wanted',
    ],
    [
      'a file that nobody brings',
      (objects) => environmentFaults(objects, programs),
      'Deployment gateway',
      [...pod, 'volumes', 'authorities', 'projected', 'sources', 1, 'secret', 'items', 0, 'path'],
      () => 'ca.crt',
      'NATS_CA_FILE names /etc/tessera/authorities/nats.crt, which no volume brings',
    ],
    [
      'a service with one replica',
      redundancyFaults,
      'HorizontalPodAutoscaler gateway',
      ['spec', 'minReplicas'],
      () => 1,
      'Deployment gateway: may have one replica only',
    ],
  ])('is reported in production: %s', (_what, rule, place, path, change, expected) => {
    expect(rule(planted('production', place, path, change)).filter((fault) => fault.includes(expected))).not.toEqual(
      [],
    );
  });

  it('is reported for a route to a port that is not there', () => {
    const faultsOf = (port: number) =>
      referenceFaults(secrets)([
        ...systems.production,
        objectOf(put(httpRoute, ['spec', 'rules', 0, 'backendRefs', 0, 'port'], () => port)),
      ]);
    expect([80, 8080].map(faultsOf)).toEqual([[], ['HTTPRoute gateway: there is no Service gateway with port 8080']]);
  });

  it('is reported for an unknown member, a missing one, and one of another type', () => {
    const faults = typeFaults([
      changed('production', 'Deployment agents', ['spec', 'replica'], () => 3).object,
      changed('production', 'Deployment gateway', ['spec', 'selector'], nothing).object,
      changed('production', 'Deployment content-repo', [...container, 'ports', 0, 'containerPort'], () => '9090')
        .object,
      changed('production', 'Cluster postgres', ['spec', 'instance'], () => 3).object,
      objectOf(put(httpRoute, ['spec', 'hosts'], () => [])),
      changed('production', 'ObjectStore backups', ['spec', 'configuration', 'wal', 'compress'], () => 'gzip').object,
    ]);
    const unknown = (member: string, type: string): string =>
      `Object literal may only specify known properties, and '${member}' does not exist in type '${type}'.`;
    expect(faults).toEqual([
      `Deployment agents, spec.replica: ${unknown('replica', 'IDeploymentSpec')}`,
      "Deployment gateway, spec: Property 'selector' is missing but required in type 'IDeploymentSpec'.",
      "Deployment content-repo, spec.template.spec.containers.0.ports.0.containerPort: Type 'string' is not assignable to type 'number'.",
      `Cluster postgres, spec.instance: ${unknown('instance', 'IClusterSpec')}`,
      `HTTPRoute gateway, spec.hosts: ${unknown('hosts', 'IHTTPRouteSpec')}`,
      `ObjectStore backups, spec.configuration.wal.compress: ${unknown('compress', 'IWalBackupConfiguration')}`,
    ]);
  });
});
