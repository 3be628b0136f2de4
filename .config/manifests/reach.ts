/**
 * Which network connections the architecture allows: in through the gateway, out from agents and tools, servers in
 * between. A connection that is open and not listed is a fault, and so is one that is listed and closed.
 */
import type { Reach } from './network.js';
import type { SystemName } from './render.js';

const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'] as const;
/** Jobs have the version in their names. */
const ofVersion = /(?:-\d+){3}$/;

const ways = (from: readonly string[], to: string, ...ports: readonly number[]): readonly string[] =>
  from.flatMap((each) => ports.map((port) => `${each} -> ${to}:${port}`));

/** What a pod of the namespace may do that nobody named. */
const everybody = [...services, 'migrate', 'postgres', 'nats', 'a stranger beside us'];

const always: readonly string[] = [
  ...ways(['ingress controller'], 'gateway', 8080),
  ...services.flatMap((service) => ways(['monitoring'], service, 9090)),
  ...ways(services, 'nats', 4222),
  ...ways([...services, 'migrate'], 'postgres', 5432),
  ...ways(services, 'monitoring', 4318),
  ...ways(['agents', 'tool-gateway'], 'public address', 80, 443),
  ...ways(everybody, 'name server', 53),
];

/** A cluster of nodes and instances, an operator, and a manager in each instance that asks the cluster's API. */
const inProduction: readonly string[] = [
  ...ways(['monitoring'], 'nats', 7777),
  ...ways(['monitoring'], 'postgres', 9187),
  ...ways(['nats'], 'nats', 6222),
  ...ways(['postgres', 'operator of PostgreSQL'], 'postgres', 5432, 8000),
  ...ways(['postgres'], 'public address', 443, 6443),
  ...ways(['postgres'], 'private address', 443, 6443),
];

/** The demo comes in by the gateway; the gateway fetches keys of an issuer of tokens; models read databases elsewhere. */
const byOptions: readonly string[] = [
  ...ways(['demo'], 'gateway', 8080),
  ...ways(['demo'], 'name server', 53),
  ...ways(['gateway'], 'public address', 80, 443),
  ...ways(['knowledge-models'], 'public address', 5432),
  ...ways(['knowledge-models'], 'private address', 5432),
  ...ways(['knowledge-models'], 'another namespace', 5432),
];

const expected: Readonly<Record<SystemName, readonly string[]>> = {
  local: always,
  production: [...always, ...inProduction],
  'every-option': [...always, ...inProduction, ...byOptions],
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
