/**
 * Which network connections the architecture allows: in through the gateway, out from agents and tools, servers in
 * between. A connection that is open and not listed is a fault, and so is one that is listed and closed.
 */
import type { Reach } from './network.js';
import type { SystemName } from './render.js';

const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'] as const;
/** Jobs have the version in their names. */
const ofVersion = /(?:-\d+){3}$/;

const allowedConnections = (from: readonly string[], to: string, ...ports: readonly number[]): readonly string[] =>
  from.flatMap((each) => ports.map((port) => `${each} -> ${to}:${port}`));

/** Connections of a pod of the namespace that is not listed. */
const allParties = [...services, 'migrate', 'postgres', 'nats', 'a stranger beside us'];

const alwaysAllowed: readonly string[] = [
  ...allowedConnections(['ingress controller'], 'gateway', 8080),
  ...services.flatMap((service) => allowedConnections(['monitoring'], service, 9090)),
  ...allowedConnections(services, 'nats', 4222),
  ...allowedConnections([...services, 'migrate'], 'postgres', 5432),
  ...allowedConnections(services, 'monitoring', 4318),
  ...allowedConnections(['agents', 'tool-gateway'], 'public address', 80, 443),
  ...allowedConnections(allParties, 'name server', 53),
];

/** A cluster of nodes and instances, an operator, and a manager in each instance that asks the cluster's API. */
const inProduction: readonly string[] = [
  ...allowedConnections(['monitoring'], 'nats', 7777),
  ...allowedConnections(['monitoring'], 'postgres', 9187),
  ...allowedConnections(['nats'], 'nats', 6222),
  ...allowedConnections(['postgres', 'operator of PostgreSQL'], 'postgres', 5432, 8000),
  ...allowedConnections(['postgres'], 'public address', 443, 6443),
  ...allowedConnections(['postgres'], 'private address', 443, 6443),
];

/** The demo comes in by the gateway; the gateway fetches keys of an issuer of tokens; models read databases, a store and a cluster elsewhere. */
const byOptions: readonly string[] = [
  ...allowedConnections(['demo'], 'gateway', 8080),
  ...allowedConnections(['demo'], 'name server', 53),
  ...allowedConnections(['gateway'], 'public address', 80, 443),
  ...allowedConnections(['knowledge-models'], 'public address', 80, 443, 5432, 8443),
  ...allowedConnections(['knowledge-models'], 'private address', 5432, 8443),
  ...allowedConnections(['knowledge-models'], 'another namespace', 5432),
];

const expected: Readonly<Record<SystemName, readonly string[]>> = {
  local: alwaysAllowed,
  production: [...alwaysAllowed, ...inProduction],
  'every-option': [...alwaysAllowed, ...inProduction, ...byOptions],
};

const lineOf = ({ from, to, port }: Reach): string => `${from.replace(ofVersion, '')} -> ${to}:${port}`;

export const reachText = (reach: readonly Reach[]): string => `${reach.map(lineOf).sort().join('\n')}\n`;

export const reachFaults = (reach: readonly Reach[], system: SystemName): readonly string[] => {
  const found = new Set(reach.map(lineOf));
  const known = new Set(expected[system]);
  return [
    ...[...found].filter((way) => !known.has(way)).map((way) => `${way} is open`),
    ...[...known].filter((way) => !found.has(way)).map((way) => `${way} is closed`),
  ];
};
