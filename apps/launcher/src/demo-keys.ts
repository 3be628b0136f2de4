/**
 * The keys of the environment file: one for the operator, four for the teams of the demo. A key of an earlier start is
 * used again while it is valid and has the right grants; a lost key is replaced, because the database keeps only
 * digests.
 */
import { isDeepStrictEqual } from 'node:util';
import { operatorsTeam, type Scope, scopes } from '@tessera/contracts';
import { parseApiKeyId, apiKeyMatches } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import {
  administrationKey,
  createApiKey,
  createTeam,
  findApiKey,
  gatewayEntities,
  teamExists,
  type KeyAttributes,
} from '@tessera/persistence/gateway';
import pg from 'pg';

type KeyPlan = {
  readonly variable: string;
  readonly team: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** What policies on the data of the demo ask for. */
  readonly furtherScopes?: readonly string[];
  readonly attributes?: KeyAttributes;
  readonly hourlyLimit: number;
};

const highLimit = 2_000_000_000;
const defaultLimit = 6_000;
const tinyLimit = 5;
const nonAdminScopes = scopes.filter((scope) => scope !== 'admin');
const readScopes = scopes.filter((scope) => scope.endsWith(':read'));

const demoTeams: Readonly<Record<string, string>> = {
  [operatorsTeam]: 'Operators',
  meridian: 'Meridian Coatings',
  northgate: 'Northgate',
  tinyco: 'Tiny Company',
};

const keyPlans: readonly KeyPlan[] = [
  { variable: 'ADMIN_KEY', ...administrationKey },
  {
    ...{ variable: 'DEMO_KEY', team: 'meridian', name: 'demo', scopes: nonAdminScopes, hourlyLimit: highLimit },
    furtherScopes: ['finance:read', 'purchasing:all'],
  },
  {
    ...{ variable: 'READONLY_KEY', team: 'meridian', name: 'demo, reading only', scopes: readScopes },
    attributes: { companyCodes: ['2000'] },
    hourlyLimit: defaultLimit,
  },
  { variable: 'NORTHGATE_KEY', team: 'northgate', name: 'demo', scopes: nonAdminScopes, hourlyLimit: defaultLimit },
  { variable: 'TINY_KEY', team: 'tinyco', name: 'demo with a small limit', scopes: readScopes, hourlyLimit: tinyLimit },
];

/** The variables of the environment file that hold them. */
export const keyVariableNames = keyPlans.map(({ variable }) => variable);

const isStillValid = async (pool: pg.Pool, key: string, plan: KeyPlan): Promise<boolean> => {
  const keyId = parseApiKeyId(key);
  if (keyId === undefined) return false;
  const stored = await findApiKey(pool, keyId);
  const { team, furtherScopes = [], attributes = {} } = plan;
  return (
    stored !== undefined &&
    stored.team === team &&
    stored.revokedAt === undefined &&
    apiKeyMatches(key, stored.digest) &&
    isDeepStrictEqual([stored.furtherScopes, stored.attributes], [furtherScopes, attributes])
  );
};

/** Every key by the name of its variable. `databaseUrl` is the gateway's own address. */
export const ensureDemoKeys = async (
  databaseUrl: string,
  earlier: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'tessera-launcher' });
  pool.on('error', () => undefined);
  const source = openDataSource(pool, gatewayEntities);
  try {
    for (const [team, name] of Object.entries(demoTeams))
      if (!(await teamExists(source, team))) await createTeam(source, team, name);
    const keys: Record<string, string> = {};
    for (const plan of keyPlans) {
      const kept = earlier[plan.variable];
      const isKept = kept !== undefined && (await isStillValid(pool, kept, plan));
      keys[plan.variable] = isKept ? kept : (await createApiKey(source, plan)).key;
    }
    return keys;
  } finally {
    await pool.end();
  }
};
