/** The secrets of a platform by name: environment variables, and the keys of Kubernetes Secrets. */

export const services = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'] as const;
export type Service = (typeof services)[number];

const variableOf = (prefix: string, service: Service): string =>
  `${prefix}_${service.toUpperCase().replaceAll('-', '_')}`;

export const databasePasswordOf = (service: Service): string => variableOf('DATABASE_PASSWORD', service);
const natsPasswordOf = (service: Service): string => variableOf('NATS_PASSWORD', service);

export const adminKeyVariable = 'ADMIN_KEY';

/** Everything but the key is a password. */
export const secretVariables: readonly string[] = [
  'POSTGRES_PASSWORD',
  ...services.map(databasePasswordOf),
  ...services.map(natsPasswordOf),
  'NATS_PASSWORD_OPERATOR',
  adminKeyVariable,
];

type SecretName = {
  readonly name: string;
  /** The variable that holds the value of each key. */
  readonly keys: Readonly<Record<string, string>>;
};

export const kubernetesSecrets: readonly SecretName[] = [
  ...services.map((service) => ({
    name: `tessera-${service}`,
    keys: { DATABASE_PASSWORD: databasePasswordOf(service), NATS_PASSWORD: natsPasswordOf(service) },
  })),
  { name: 'tessera-admin', keys: { ADMIN_KEY: adminKeyVariable } },
  { name: 'tessera-nats', keys: { NATS_PASSWORD_OPERATOR: 'NATS_PASSWORD_OPERATOR' } },
  { name: 'tessera-postgres', keys: { POSTGRES_PASSWORD: 'POSTGRES_PASSWORD' } },
];
