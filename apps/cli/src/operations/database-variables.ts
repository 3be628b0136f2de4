/** Reads the environment variables of the database commands and returns every fault at once. Never shows a value. */
import { parseApiKey, type MintedKey } from '@tessera/persistence';
import type { Environment } from '../configuration.js';
import { adminKeyVariable, databasePasswordVariableFor, type PlatformService } from './secret-names.js';

type VariablesResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly string[] };

export type MigrationVariables = {
  readonly url: string;
  readonly passwords: Readonly<Record<PlatformService, string>>;
  readonly adminKey: MintedKey | undefined;
};

type Shape = { readonly expected: string; readonly fits: (text: string) => boolean };

const databaseUrl: Shape = {
  expected: 'an address such as postgres://user:password@host:5432/database',
  fits: (text) => {
    const { protocol, username, hostname, pathname } = URL.parse(text) ?? {};
    return /^postgres(ql)?:$/.test(protocol ?? '') && !!username && !!hostname && (pathname ?? '').length > 1;
  },
};

/** Services are given it inside of an address, as it is. */
const passwordShape: Shape = {
  expected: 'a password of at least 16 of the letters A-Z, a-z, 0-9 and - . _ ~, such as "tessera secrets" prints',
  fits: (text) => /^[A-Za-z0-9._~-]{16,}$/.test(text),
};

const adminKey: Shape = {
  expected: 'a key such as "tessera secrets" prints',
  fits: (text) => parseApiKey(text) !== undefined,
};

export const readDatabaseUrl = (environment: Environment): VariablesResult<string> => {
  const { faults, required } = variableReader(environment);
  const value = required('DATABASE_URL', databaseUrl);
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
};

export const readMigrationVariables = (environment: Environment): VariablesResult<MigrationVariables> => {
  const { faults, required } = variableReader(environment);
  const passwordOf = (service: PlatformService): string =>
    required(databasePasswordVariableFor(service), passwordShape);
  const value: MigrationVariables = {
    url: required('DATABASE_URL', databaseUrl),
    passwords: {
      gateway: passwordOf('gateway'),
      'content-repo': passwordOf('content-repo'),
      'tool-gateway': passwordOf('tool-gateway'),
      agents: passwordOf('agents'),
      'knowledge-models': passwordOf('knowledge-models'),
    },
    adminKey: isSet(environment, adminKeyVariable) ? parseApiKey(required(adminKeyVariable, adminKey)) : undefined,
  };
  return faults.length === 0 ? { ok: true, value } : { ok: false, faults };
};

const isSet = (environment: Environment, name: string): boolean => (environment[name] ?? '') !== '';

const variableReader = (environment: Environment) => {
  const faults: string[] = [];
  const required = (name: string, { expected, fits }: Shape): string => {
    const text = environment[name] ?? '';
    if (!fits(text))
      faults.push(`${name} is ${isSet(environment, name) ? 'malformed' : 'missing'}; expected ${expected}`);
    return text;
  };
  return { faults, required };
};
