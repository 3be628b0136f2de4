/** The secrets of a platform by name: environment variables, the keys of Kubernetes Secrets, and the files of Compose. */

export const platformServices = ['gateway', 'content-repo', 'tool-gateway', 'agents', 'knowledge-models'] as const;
export type PlatformService = (typeof platformServices)[number];

const variableOf = (prefix: string, service: PlatformService): string =>
  `${prefix}_${service.toUpperCase().replaceAll('-', '_')}`;

export const databasePasswordVariableFor = (service: PlatformService): string =>
  variableOf('DATABASE_PASSWORD', service);
const natsPasswordOf = (service: PlatformService): string => variableOf('NATS_PASSWORD', service);
const postgresPasswordVariable = 'POSTGRES_PASSWORD';
const operatorPasswordVariable = 'NATS_PASSWORD_OPERATOR';

export const adminKeyVariable = 'ADMIN_KEY';

/** Everything but the key is a password. */
export const secretVariables: readonly string[] = [
  postgresPasswordVariable,
  ...platformServices.map(databasePasswordVariableFor),
  ...platformServices.map(natsPasswordOf),
  operatorPasswordVariable,
  adminKeyVariable,
];

type SecretName = {
  readonly name: string;
  /** The variable that holds the value of each key. */
  readonly keys: Readonly<Record<string, string>>;
};

export const kubernetesSecrets: readonly SecretName[] = [
  ...platformServices.map((service) => ({
    name: `tessera-${service}`,
    keys: { DATABASE_PASSWORD: databasePasswordVariableFor(service), NATS_PASSWORD: natsPasswordOf(service) },
  })),
  { name: 'tessera-admin', keys: { ADMIN_KEY: adminKeyVariable } },
  { name: 'tessera-nats', keys: { NATS_PASSWORD_OPERATOR: operatorPasswordVariable } },
  { name: 'tessera-postgres', keys: { POSTGRES_PASSWORD: postgresPasswordVariable } },
];

/** What each container of docker/compose.yaml reads, as NAME=value, by the name of the file; PostgreSQL reads its password alone. */
export const createComposeSecretFiles = (secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const valueOf = (variable: string): string => secrets.get(variable) ?? '';
  const lines = (pairs: Readonly<Record<string, string>>): string =>
    Object.entries(pairs)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  const chosen = (variables: readonly string[]): string =>
    lines(Object.fromEntries(variables.map((variable) => [variable, valueOf(variable)])));
  const database = (role: string, password: string): string =>
    `postgres://${role}:${valueOf(password)}@postgres/tessera`;
  return new Map([
    ...platformServices.map((service): [string, string] => [
      service,
      lines({
        DATABASE_URL: database(`tessera_${service.replaceAll('-', '_')}`, databasePasswordVariableFor(service)),
        NATS_URL: `nats://${service}:${valueOf(natsPasswordOf(service))}@nats:4222`,
      }),
    ]),
    ['nats', chosen([...platformServices.map(natsPasswordOf), operatorPasswordVariable])],
    ['postgres', valueOf(postgresPasswordVariable)],
    [
      'migrate',
      lines({ DATABASE_URL: database('postgres', postgresPasswordVariable) }) +
        chosen([...platformServices.map(databasePasswordVariableFor), adminKeyVariable]),
    ],
    ['admin', chosen([adminKeyVariable])],
  ]);
};
