/** Checks that everything an object refers to by name exists or has a known maker. */
import { type KubernetesObject, findObject, objectName, selects, type Workload, workloadsOf } from './objects.js';
import { at, listAt, textAt, textsAt } from './tree.js';

/** Keys of a Secret by its name. */
export type KnownSecrets = Readonly<Record<string, readonly string[]>>;

export const referenceFaults =
  (secrets: KnownSecrets) =>
  (objects: readonly KubernetesObject[]): readonly string[] => {
    const workloads = workloadsOf(objects);
    return [
      ...workloads.flatMap((workload) => workloadFaults(objects, secrets, workload)),
      ...objects.flatMap((object) => objectFaults(objects, workloads, secrets, object)),
      ...scalerFaults(objects, workloads),
    ];
  };

const workloadFaults = (
  objects: readonly KubernetesObject[],
  secrets: KnownSecrets,
  workload: Workload,
): readonly string[] => {
  const { pod, containers } = workload;
  const account = textAt(pod, 'serviceAccountName');
  const named = [
    ...containers.flatMap(({ tree }) => [
      ...listAt(tree, 'env').map((variable) => at(variable, 'valueFrom')),
      ...listAt(tree, 'envFrom'),
    ]),
    ...listAt(pod, 'volumes'),
    ...listAt(pod, 'volumes').flatMap((volume) => listAt(volume, 'projected', 'sources')),
  ];
  const claims = listAt(workload.tree, 'spec', 'volumeClaimTemplates').map((claim) =>
    textAt(claim, 'metadata', 'name'),
  );
  const volumes = [...listAt(pod, 'volumes').map((volume) => textAt(volume, 'name')), ...claims];
  const mounts = containers.flatMap(({ tree }) => listAt(tree, 'volumeMounts').map((mount) => textAt(mount, 'name')));
  return [
    ...named.flatMap((source) => sourceFaults(objects, secrets, source)),
    ...(account !== undefined && findObject(objects, 'ServiceAccount', account) === undefined
      ? [`there is no ServiceAccount ${account}`]
      : []),
    ...mounts.filter((name) => !volumes.includes(name)).map((name) => `there is no volume ${name}`),
    ...(selects(at(workload.tree, 'spec', 'selector'), workload.labels) || workload.kind === 'Job'
      ? []
      : ['its selector is not for its pods']),
  ].map((fault) => `${objectName(workload)}: ${fault}`);
};

/** A source of a variable or of a volume, which names a ConfigMap or a Secret in one of several ways. */
const sourceFaults = (
  objects: readonly KubernetesObject[],
  secrets: KnownSecrets,
  source: unknown,
): readonly string[] => {
  const map = at(source, 'configMapKeyRef') ?? at(source, 'configMapRef') ?? at(source, 'configMap');
  const secret = at(source, 'secretKeyRef') ?? at(source, 'secretRef') ?? at(source, 'secret');
  const keysOf = (reference: unknown): readonly string[] => [
    ...(textAt(reference, 'key') === undefined ? [] : [textAt(reference, 'key') ?? '']),
    ...listAt(reference, 'items').map((item) => textAt(item, 'key') ?? ''),
  ];
  const missing = (kind: string, reference: unknown, known: readonly string[] | undefined): readonly string[] => {
    const name = textAt(reference, 'name') ?? textAt(reference, 'secretName') ?? '';
    if (known === undefined) return [`there is no ${kind} ${name}`];
    return keysOf(reference)
      .filter((key) => !known.includes(key))
      .map((key) => `${kind} ${name} has no key ${key}`);
  };
  const data = findObject(objects, 'ConfigMap', textAt(map, 'name'));
  return [
    ...(map === undefined ? [] : missing('ConfigMap', map, data && Object.keys(textsAt(data.tree, 'data')))),
    ...(secret === undefined
      ? []
      : missing('Secret', secret, secrets[textAt(secret, 'name') ?? textAt(secret, 'secretName') ?? ''])),
  ];
};

const portsOf = (workloads: readonly Workload[]): readonly unknown[] =>
  workloads.flatMap(({ containers }) =>
    containers.flatMap(({ tree }) =>
      listAt(tree, 'ports').flatMap((port) => [at(port, 'name'), at(port, 'containerPort')]),
    ),
  );

const objectFaults = (
  objects: readonly KubernetesObject[],
  workloads: readonly Workload[],
  secrets: KnownSecrets,
  object: KubernetesObject,
): readonly string[] => {
  const say = (faults: readonly string[]) => faults.map((fault) => `${objectName(object)}: ${fault}`);
  const selected = (selector: unknown) => workloads.filter(({ labels }) => selects(selector, labels));
  const spec = at(object.tree, 'spec');
  switch (object.kind) {
    case 'Service': {
      const pods = selected({ matchLabels: at(spec, 'selector') });
      const ports = listAt(spec, 'ports').map((port) => at(port, 'targetPort') ?? at(port, 'port'));
      const closed = ports.filter((port) => !portsOf(pods).includes(port));
      return say([...(pods.length === 1 ? [] : [`selects ${pods.length} workloads`]), ...closed.map(noPort)]);
    }
    case 'PodDisruptionBudget':
      return say(selected(at(spec, 'selector')).length === 1 ? [] : ['selects no single workload']);
    case 'PodMonitor': {
      const pods = selected(at(spec, 'selector'));
      // Pods of an operator have ports that it knows.
      const closed = listAt(spec, 'podMetricsEndpoints')
        .map((endpoint) => at(endpoint, 'port'))
        .filter((port) => pods.length > 0 && !portsOf(pods).includes(port));
      const isOfOperator = Object.keys(textsAt(spec, 'selector', 'matchLabels')).includes('cnpg.io/cluster');
      return say([...(pods.length === 0 && !isOfOperator ? ['selects no pods'] : []), ...closed.map(noPort)]);
    }
    case 'Ingress':
      return say([
        ...listAt(spec, 'rules').flatMap((rule) =>
          listAt(rule, 'http', 'paths').flatMap((path) => backendFaults(objects, at(path, 'backend', 'service'))),
        ),
        ...listAt(spec, 'tls').flatMap((tls) => {
          const name = textAt(tls, 'secretName') ?? '';
          return secrets[name] === undefined ? [`there is no Secret ${name}`] : [];
        }),
      ]);
    case 'HTTPRoute':
      return say(
        listAt(spec, 'rules').flatMap((rule) =>
          listAt(rule, 'backendRefs').flatMap((backend) => backendFaults(objects, backend)),
        ),
      );
    case 'StatefulSet':
      return say(
        findObject(objects, 'Service', textAt(spec, 'serviceName')) === undefined ? ['its Service is not there'] : [],
      );
    case 'ObjectStore': {
      const credentials = at(spec, 'configuration', 's3Credentials');
      return say(
        ['accessKeyId', 'secretAccessKey'].flatMap((member) =>
          sourceFaults(objects, secrets, { secretKeyRef: at(credentials, member) }),
        ),
      );
    }
    case 'ScheduledBackup':
      return say(
        findObject(objects, 'Cluster', textAt(spec, 'cluster', 'name')) === undefined ? ['no such Cluster'] : [],
      );
    default:
      return [];
  }
};

const noPort = (port: unknown): string => `its pods have no port ${String(port)}`;

const backendFaults = (objects: readonly KubernetesObject[], backend: unknown): readonly string[] => {
  const service = findObject(objects, 'Service', textAt(backend, 'name'));
  const wanted = at(backend, 'port', 'name') ?? at(backend, 'port', 'number') ?? at(backend, 'port');
  const isOpen = listAt(service?.tree, 'spec', 'ports').some(
    (port) => at(port, 'name') === wanted || at(port, 'port') === wanted,
  );
  return isOpen ? [] : [`there is no Service ${textAt(backend, 'name')} with port ${String(wanted)}`];
};

const scalers: ReadonlySet<string> = new Set(['HorizontalPodAutoscaler', 'ScaledObject']);

/** Each scales one workload that is there, none is scaled twice, and none has a number of replicas beside it. */
const scalerFaults = (objects: readonly KubernetesObject[], workloads: readonly Workload[]): readonly string[] => {
  const found = objects.filter(({ kind }) => scalers.has(kind));
  const targetOf = ({ tree }: KubernetesObject) => at(tree, 'spec', 'scaleTargetRef');
  return found.flatMap((scaler) => {
    const name = textAt(targetOf(scaler), 'name');
    const target = workloads.find(
      (workload) => workload.name === name && workload.kind === at(targetOf(scaler), 'kind'),
    );
    const scaledBy = [
      ...listAt(scaler.tree, 'spec', 'metrics').map((metric) => textAt(metric, 'containerResource', 'container')),
      ...listAt(scaler.tree, 'spec', 'triggers').map((trigger) => textAt(trigger, 'metadata', 'containerName')),
    ];
    const isOfRequest = [
      ...listAt(scaler.tree, 'spec', 'metrics').map((metric) => at(metric, 'containerResource', 'target', 'type')),
      ...listAt(scaler.tree, 'spec', 'triggers').map((trigger) => at(trigger, 'metricType')),
    ].includes('Utilization');
    const containers = target?.containers.map((container) => container.name) ?? [];
    const others = found.filter((other) => textAt(targetOf(other), 'name') === name);
    return [
      ...(target === undefined ? [`there is no ${String(at(targetOf(scaler), 'kind'))} ${name}`] : []),
      ...scaledBy.flatMap((container) =>
        container === undefined || containers.includes(container) ? [] : [`${name} has no container ${container}`],
      ),
      ...(others.length > 1 ? [`${name} is scaled twice`] : []),
      ...(isOfRequest ? [`${name} is scaled by a share of its request, not by what a replica can do`] : []),
      ...(at(target?.tree, 'spec', 'replicas') === undefined ? [] : [`${name} has a number of replicas of its own`]),
    ].map((fault) => `${objectName(scaler)}: ${fault}`);
  });
};
