/**
 * Teams and keys, as an administrator may see and change them. Who may not administer a team is told that it is not
 * there, as for a team that nobody has.
 * Refuses: to show a key again.
 */
import {
  mayAdminister,
  operatorsTeam,
  type CallFrame,
  type Caller,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import type { createKey, listKeys, readTeam, revokeKey, writeTeam } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import {
  createApiKey,
  createTeam,
  databaseFailure,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  teamExists,
  teamName,
  type ListedApiKey,
  type Pool,
} from '@tessera/persistence';
import type { Revocations } from '../auth/revocations.js';

type Answer<O extends typeof createKey | typeof listKeys | typeof readTeam | typeof revokeKey | typeof writeTeam> =
  Promise<Result<ReplyOf<O>>>;

const noTeam = (team: string) => fail('GENERAL_NOTFOUND', `There is no team ${team}.`);
const noKey = (keyId: string) => fail('GENERAL_NOTFOUND', `There is no key ${keyId}.`);

export class KeyAdministration {
  constructor(
    private readonly pool: Pool,
    private readonly revocations: Revocations,
    private readonly standardLimit: number,
  ) {}

  create({ key }: RequestOf<typeof createKey>, { caller }: CallFrame): Answer<typeof createKey> {
    return unlessAway(async () => {
      if (!(await this.#isTeamOf(caller, key.team))) return noTeam(key.team);
      const { expiresAt, ...rest } = key;
      const instant = expiresAt === undefined ? undefined : new Date(expiresAt);
      if (instant && instant.getTime() <= Date.now())
        return fail('GENERAL_CONSTRAINT_VIOLATION', 'The key would have expired already.', {
          faults: [{ in: 'body', path: 'expiresAt', message: 'expected an instant in the future.', rule: 'future' }],
        });
      const hourlyLimit = key.hourlyLimit ?? this.standardLimit;
      return succeed(await createApiKey(this.pool, { ...rest, hourlyLimit, ...(instant && { expiresAt: instant }) }));
    });
  }

  list({ team }: RequestOf<typeof listKeys>, { caller }: CallFrame): Answer<typeof listKeys> {
    return unlessAway(async () => {
      if (!(await this.#isTeamOf(caller, team))) return noTeam(team);
      const keys = await listApiKeys(this.pool, team);
      return succeed({ team, keys: keys.map(shown) });
    });
  }

  revoke({ keyId, team }: RequestOf<typeof revokeKey>, { caller }: CallFrame): Answer<typeof revokeKey> {
    return unlessAway(async () => {
      const owner = team ?? (await findApiKey(this.pool, keyId))?.team;
      if (owner === undefined || !mayAdminister(caller, owner)) return noKey(keyId);
      if (!(await revokeApiKey(this.pool, owner, keyId))) return noKey(keyId);
      this.revocations.announce(keyId);
      return succeed({ keyId, team: owner, revoked: true as const });
    });
  }

  writeTeam({ team, properties }: RequestOf<typeof writeTeam>, { caller }: CallFrame): Answer<typeof writeTeam> {
    return unlessAway(async () => {
      if (caller.team !== operatorsTeam && !(await this.#isTeamOf(caller, team))) return noTeam(team);
      await createTeam(this.pool, team, properties.name);
      return succeed({ team, name: properties.name });
    });
  }

  readTeam({ team }: RequestOf<typeof readTeam>, { caller }: CallFrame): Answer<typeof readTeam> {
    return unlessAway(async () => {
      const name = mayAdminister(caller, team) ? await teamName(this.pool, team) : undefined;
      return name === undefined ? noTeam(team) : succeed({ team, name });
    });
  }

  async #isTeamOf(caller: Caller, team: string): Promise<boolean> {
    return mayAdminister(caller, team) && (await teamExists(this.pool, team));
  }
}

const unlessAway = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    const failure = databaseFailure(error);
    if (failure) return { ok: false, failure };
    throw error;
  }
};

const shown = ({ scopes, createdAt, expiresAt, lastUsedAt, revokedAt, ...key }: ListedApiKey) => ({
  ...key,
  scopes: [...scopes],
  createdAt: createdAt.toISOString(),
  ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
});
