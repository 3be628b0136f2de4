/**
 * Evaluates the network policies for each pair of pods as a network plug-in does. A range of addresses is assumed to
 * hold pods.
 */
import { BlockList } from 'node:net';
import { type KubernetesObject, selects } from './objects.js';
import { at, listAt, textAt } from './tree.js';

/** A pod, or an address that is none. Pods have an address as well, since a range may cover it. */
export type Party = {
  readonly name: string;
  readonly address: string;
  readonly pod?: {
    readonly namespace: string;
    readonly namespaceLabels: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
  };
  /** What it listens on. */
  readonly ports: readonly number[];
};

type Policy = { readonly namespace: string; readonly tree: unknown };
type Direction = 'ingress' | 'egress';

const policiesOf = (objects: readonly KubernetesObject[]): readonly Policy[] =>
  objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ namespace, tree }) => ({ namespace: namespace ?? 'default', tree }));

const isIn = (address: string, range: string): boolean => {
  const [network = '', bits = ''] = range.split('/');
  const family = network.includes(':') ? 'ipv6' : 'ipv4';
  if ((address.includes(':') ? 'ipv6' : 'ipv4') !== family) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
};

const matchesPeer = (peer: unknown, policy: Policy, { address, pod }: Party): boolean => {
  const range = textAt(peer, 'ipBlock', 'cidr');
  if (range !== undefined)
    return (
      isIn(address, range) &&
      !listAt(peer, 'ipBlock', 'except').some((except) => typeof except === 'string' && isIn(address, except))
    );
  if (pod === undefined) return false;
  const [namespaces, pods] = [at(peer, 'namespaceSelector'), at(peer, 'podSelector')];
  const isNamespace =
    namespaces === undefined ? pod.namespace === policy.namespace : selects(namespaces, pod.namespaceLabels);
  return isNamespace && (pods === undefined || selects(pods, pod.labels));
};

const allowsRule = (rule: unknown, policy: Policy, direction: Direction, other: Party, port: number): boolean => {
  const peers = listAt(rule, direction === 'ingress' ? 'from' : 'to');
  const ports = listAt(rule, 'ports');
  return (
    (peers.length === 0 || peers.some((peer) => matchesPeer(peer, policy, other))) &&
    (ports.length === 0 || ports.some((allowed) => at(allowed, 'port') === port))
  );
};

const allows = (
  policies: readonly Policy[],
  direction: Direction,
  party: Party,
  other: Party,
  port: number,
): boolean => {
  const type = direction === 'ingress' ? 'Ingress' : 'Egress';
  const { pod } = party;
  if (pod === undefined) return true;
  const own = policies.filter(
    ({ namespace, tree }) =>
      namespace === pod.namespace &&
      listAt(tree, 'spec', 'policyTypes').includes(type) &&
      selects(at(tree, 'spec', 'podSelector'), pod.labels),
  );
  return (
    own.length === 0 ||
    own.some((policy) =>
      listAt(policy.tree, 'spec', direction).some((rule) => allowsRule(rule, policy, direction, other, port)),
    )
  );
};

export type Reach = { readonly from: string; readonly to: string; readonly port: number };

/** Every open pair and port; parties outside of policies are only targets or only sources. */
export const reachOf = (objects: readonly KubernetesObject[], parties: readonly Party[]): readonly Reach[] => {
  const policies = policiesOf(objects);
  const namespaces = new Set(policies.map(({ namespace }) => namespace));
  const isHeld = ({ pod }: Party): boolean => pod !== undefined && namespaces.has(pod.namespace);
  return parties.flatMap((from) =>
    parties.flatMap((to) =>
      !isHeld(from) && !isHeld(to)
        ? []
        : to.ports
            .filter((port) => allows(policies, 'egress', from, to, port) && allows(policies, 'ingress', to, from, port))
            .map((port) => ({ from: from.name, to: to.name, port })),
    ),
  );
};
