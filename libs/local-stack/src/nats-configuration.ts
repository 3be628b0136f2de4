/**
 * nats-server's configuration file: loopback only, JetStream in a folder, a user per service; and the users alone, as
 * files for servers elsewhere.
 */
import { subjectPermissionsOf, type ServiceName, serviceNames } from './nats-permissions.js';

export type NatsUser = ServiceName | 'operator';
export type NatsPasswords = Readonly<Partial<Record<NatsUser, string>>>;

type NatsConfiguration = {
  readonly port: number;
  readonly storeFolder: string;
  /** Passwords by user; `operator` may do everything and is for people and tests. Without users everybody may. */
  readonly users: NatsPasswords | 'none';
};

const subjectList = (subjects: readonly string[]): string =>
  `[${subjects.map((subject) => JSON.stringify(subject)).join(', ')}]`;

/** `password` as the file writes it. */
const userLine = (user: NatsUser, password: string): string => {
  const credentials = `user: ${JSON.stringify(user)}, password: ${password}`;
  if (user === 'operator') return `    { ${credentials} }`;
  const { publish, subscribe } = subjectPermissionsOf(user);
  return `    { ${credentials}, permissions: { publish: ${subjectList(publish)}, subscribe: ${subjectList(subscribe)} } }`;
};

const authorizationBlock = (lines: readonly string[]): readonly string[] => [
  'authorization {',
  '  users: [',
  ...lines,
  '  ]',
  '}',
];

const variableOf = (user: NatsUser): string => `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;

/** The users of a server that takes their passwords from its environment; without quotes, for else it would not look there. */
export const printNatsUsersFromEnvironment = (): string =>
  `${authorizationBlock([...serviceNames, 'operator' as const].map((user) => userLine(user, `$${variableOf(user)}`))).join('\n')}\n`;

const isNatsUser = (entry: [string, string | undefined]): entry is [NatsUser, string] => entry[1] !== undefined;

export const printNatsConfiguration = ({ port, storeFolder, users }: NatsConfiguration): string => {
  const lines = [
    'host: "127.0.0.1"',
    `port: ${port}`,
    'max_payload: 1MB',
    `jetstream { store_dir: ${JSON.stringify(storeFolder)}, max_mem: 64MB, max_file: 1GB }`,
  ];
  if (users !== 'none')
    lines.push(
      ...authorizationBlock(
        Object.entries(users)
          .filter(isNatsUser)
          .map(([user, password]) => userLine(user, JSON.stringify(password))),
      ),
    );
  return `${lines.join('\n')}\n`;
};
