/**
 * Everyone on the network: our pods, those of the servers (with the labels their makers give them), and the world
 * outside.
 */
import { type KubernetesObject, workloadsOf } from './objects.js';
import type { Party } from './network.js';
import { listAt, numberAt, textsAt } from './tree.js';

const ownNamespace = 'tessera';
const podAddress = '10.1.2.3';

const podIn = (
  namespace: string,
  name: string,
  labels: Readonly<Record<string, string>>,
  ports: readonly number[],
): Party => ({
  name,
  address: podAddress,
  pod: { namespace, namespaceLabels: { 'kubernetes.io/metadata.name': namespace }, labels },
  ports,
});

const ownPods = (objects: readonly KubernetesObject[]): readonly Party[] =>
  workloadsOf(objects).map(({ name, labels, containers }) =>
    podIn(
      ownNamespace,
      name,
      labels,
      containers.flatMap(({ tree }) => listAt(tree, 'ports').flatMap((port) => numberAt(port, 'containerPort') ?? [])),
    ),
  );

/** Client port, the manager's own, and that of the metrics. */
const instancePorts = [5432, 8000, 9187];
const operatorPods = (objects: readonly KubernetesObject[]): readonly Party[] =>
  objects
    .filter(({ kind }) => kind === 'Cluster')
    .map(({ name, tree }) => {
      const labels = { ...textsAt(tree, 'spec', 'inheritedMetadata', 'labels'), 'cnpg.io/cluster': name };
      return podIn(ownNamespace, name, labels, instancePorts);
    });

/** Clients, the other nodes, monitoring, metrics. */
const nodePorts = [4222, 6222, 8222, 7777];
const chartPods = (values: unknown): readonly Party[] => {
  const labels = textsAt(values, 'podTemplate', 'merge', 'metadata', 'labels');
  return values === undefined ? [] : [podIn(ownNamespace, 'nats', labels, nodePorts)];
};

const outsideParties: readonly Party[] = [
  podIn('ingress', 'ingress controller', {}, [80]),
  podIn('monitoring', 'monitoring', {}, [4318, 9090]),
  podIn('kube-system', 'name server', { 'k8s-app': 'kube-dns' }, [53]),
  podIn('cnpg-system', 'operator of PostgreSQL', {}, [9443]),
  podIn('somewhere', 'another namespace', {}, [80, 5432, 8080]),
  podIn(ownNamespace, 'a stranger beside us', {}, [8080]),
  { name: 'public address', address: '203.0.113.7', ports: [22, 80, 443, 5432, 6443, 8443] },
  { name: 'private address', address: '192.168.7.7', ports: [22, 80, 443, 5432, 6443, 8443] },
  { name: 'cloud metadata', address: '169.254.169.254', ports: [80] },
  { name: 'cloud metadata beside public addresses', address: '168.63.129.16', ports: [80] },
];

/** `natsValues`: the chart's values when NATS is not among the objects of the system. */
export const partiesOf = (objects: readonly KubernetesObject[], natsValues: unknown): readonly Party[] => [
  ...ownPods(objects),
  ...operatorPods(objects),
  ...chartPods(natsValues),
  ...outsideParties,
];
