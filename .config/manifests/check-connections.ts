/**
 * Counts the PostgreSQL connections of all replicas at their maximum during a rollout and compares them with what the
 * server allows. Every place in the code that opens a pool is listed here.
 */
import { listFiles, readText } from '../workspace/files.js';
import { imageName } from './environment.js';
import { type KubernetesObject, objectName, type Workload, workloadsOf } from './objects.js';
import { at, listAt, numberAt, textAt } from './tree.js';

/** For people, the operator and its exporter; three of them the server keeps for superusers anyway. */
const reserve = 15;
/** The migration job reads, locks and migrates on connections of its own. */
const connectionsOfJob = 3;

const poolCall = /\bcreatePool\(|\bextends ServicePools\b/;
/** Other people's databases, and commands that a person runs. */
const elsewhere =
  /^libs\/persistence\/src\/pool\.ts$|\/external-databases\.ts$|^apps\/(?:cli|launcher|bench|e2e)\/|^libs\/testing\/|\/testing\/|spec\.ts$/;

/** Files that open pools on the platform's database. */
export const poolFiles = (root: string): readonly string[] =>
  [...listFiles(root, 'apps'), ...listFiles(root, 'libs')].filter(
    (path) => path.endsWith('.ts') && !elsewhere.test(path) && poolCall.test(readText(root, path)),
  );

type ServiceConnections = {
  /** Names of the settings that say sizes of pools. */
  readonly settings: readonly string[];
  /** What no setting says. */
  readonly fixed: number;
};

/** Pools that a service opens by a function of the library. */
const openedByLibrary: Readonly<Record<string, string>> = {
  'openOutbox(': 'libs/persistence/src/outbox.ts',
  'openServiceDatabase(': 'libs/persistence/src/service-database.ts',
};
const openedBy = (service: string): string => `apps/${service}/src/database.module.ts`;

/** Read from where a service opens its pools: `settings.LIGHT_CONNECTIONS`, `const definitionConnections = 2`. */
export const connectionsInCode = (root: string, service: string): ServiceConnections => {
  const text = readText(root, openedBy(service));
  const started = ['main.ts', `${service}.module.ts`]
    .map((file) => readText(root, `apps/${service}/src/${file}`))
    .join('');
  const constants = (code: string): number =>
    [...code.matchAll(/^const \w*connections\w* = (\d+);|\bconnectionsMax: (\d+)\b/gim)].reduce(
      (sum, [, constant, member]) => sum + Number(constant ?? member),
      0,
    );
  const library = Object.entries(openedByLibrary).filter(([call]) => started.includes(call));
  return {
    settings: [...text.matchAll(/\b(?:settings|configuration)\.(\w*CONNECTIONS\w*)/g)].map(([, name]) => name ?? ''),
    fixed: library.reduce((sum, [, path]) => sum + constants(readText(root, path)), constants(text)),
  };
};

/** How many replicas there may be, a surge among them. */
const replicasMax = (objects: readonly KubernetesObject[], workload: Workload): number => {
  const scaler = objects.find(
    ({ kind, tree }) =>
      (kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject') &&
      textAt(tree, 'spec', 'scaleTargetRef', 'name') === workload.name,
  );
  const fixed = numberAt(workload.tree, 'spec', 'replicas') ?? 1;
  const most =
    numberAt(scaler?.tree, 'spec', 'maxReplicas') ?? numberAt(scaler?.tree, 'spec', 'maxReplicaCount') ?? fixed;
  return most + (numberAt(workload.tree, 'spec', 'strategy', 'rollingUpdate', 'maxSurge') ?? 0);
};

/** `max_connections` of the Cluster of an operator, or among the arguments of a server of our own. */
const connectionsTaken = (objects: readonly KubernetesObject[]): number => {
  const cluster = objects.find(({ kind }) => kind === 'Cluster');
  const parameter = textAt(cluster?.tree, 'spec', 'postgresql', 'parameters', 'max_connections');
  const argument = workloadsOf(objects)
    .flatMap(({ containers }) => containers.flatMap(({ tree }) => listAt(tree, 'args')))
    .flatMap((text) => (typeof text === 'string' ? (/^max_connections=(\d+)$/.exec(text)?.[1] ?? []) : []));
  return Number(parameter ?? argument[0] ?? 100);
};

export type ConnectionSum = { readonly lines: readonly string[]; readonly needed: number; readonly taken: number };

export const connectionSum = (
  objects: readonly KubernetesObject[],
  perReplica: (workload: Workload) => number | undefined,
): ConnectionSum => {
  const counted = workloadsOf(objects).flatMap((workload) => {
    const job = workload.containers.some((container) => imageName(container) === 'tessera/cli') ? connectionsOfJob : 0;
    const each = perReplica(workload) ?? job;
    return each === 0 ? [] : [{ place: objectName(workload), each, replicas: replicasMax(objects, workload) }];
  });
  return {
    lines: counted.map(({ place, each, replicas }) => `${place}: ${replicas} x ${each} = ${replicas * each}`),
    needed: counted.reduce((sum, { each, replicas }) => sum + each * replicas, reserve),
    taken: connectionsTaken(objects),
  };
};

export const connectionFaults = ({ lines, needed, taken }: ConnectionSum): readonly string[] =>
  needed <= taken ? [] : [`PostgreSQL takes ${taken} connections; ${needed} may be wanted: ${lines.join(', ')}`];

/** Of each service with more than one replica, one may be away on purpose; with one, none would be left. */
export const redundancyFaults = (objects: readonly KubernetesObject[]): readonly string[] =>
  workloadsOf(objects)
    .filter(({ kind, labels }) => kind === 'Deployment' && labels['app.kubernetes.io/component'] === 'service')
    .flatMap((workload) => {
      const scaler = objects.find(({ tree }) => at(tree, 'spec', 'scaleTargetRef', 'name') === workload.name);
      const least =
        numberAt(scaler?.tree, 'spec', 'minReplicas') ??
        numberAt(scaler?.tree, 'spec', 'minReplicaCount') ??
        numberAt(workload.tree, 'spec', 'replicas') ??
        1;
      return least >= 2 ? [] : [`${objectName(workload)}: may have one replica only`];
    });
