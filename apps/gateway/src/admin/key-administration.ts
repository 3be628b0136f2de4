/**
 * API keys as an administrator may see and change them. Never shows a key again. A team that the caller may not administer is
 * reported as missing.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  mayAdminister,
  operatorsTeam,
  type ByteReply,
  type CallFrame,
  type Caller,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import { createKey, revokeKey, type listKeys } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { answerOnce, idempotentCallOf, mapDatabaseErrors, type IdempotentCall, type Pool } from '@tessera/persistence';
import { attemptInTenant } from '@tessera/persistence/data-source';
import {
  findApiKey,
  findTeamIn,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  teamExists,
  type ListedApiKey,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { faultsBeyondGrants, grantsOf } from '../auth/grants.js';
import { Revocations } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { jsonReply } from '../http/send-reply.js';

export const noTeam = (team: string) => fail('GENERAL_NOTFOUND', `There is no team ${team}.`);
const noKey = (keyId: string) => fail('GENERAL_NOTFOUND', `There is no key ${keyId}.`);
const noGrants = { furtherScopes: [], attributes: {} };
const alreadyExpired = fail('GENERAL_CONSTRAINT_VIOLATION', 'The key would have expired already.', {
  faults: [{ in: 'body', path: 'expiresAt', message: 'expected an instant in the future.', rule: 'future' }],
});

@Injectable()
export class KeyAdministration {
  readonly #standardLimit: number;

  constructor(
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    private readonly revocations: Revocations,
    @Inject(settingsToken) { RATE_LIMIT_PER_HOUR }: GatewayConfiguration,
  ) {
    this.#standardLimit = RATE_LIMIT_PER_HOUR;
  }

  create(request: RequestOf<typeof createKey>, { caller }: CallFrame): Promise<Result<ByteReply>> {
    const { key } = request;
    return mapDatabaseErrors(async () => {
      if (!(await this.#isTeamOf(caller, key.team))) return noTeam(key.team);
      const place = { schema: 'gateway', tenant: key.team, secret: true } as const;
      return this.#once(idempotentCallOf(place, createKey, request), key.team, async (manager) => {
        const { expiresAt, ...rest } = key;
        const instant = expiresAt === undefined ? undefined : new Date(expiresAt);
        if (instant && instant.getTime() <= Date.now()) return alreadyExpired;
        const madeBy = caller.team === operatorsTeam ? 'operators' : 'team';
        const grants = grantsOf((await findTeamIn(manager, key.team))?.grants ?? noGrants, this.#standardLimit);
        const faults = madeBy === 'team' ? faultsBeyondGrants(grants, key) : [];
        if (faults.length > 0) return fail('GENERAL_CONSTRAINT_VIOLATION', 'The key goes beyond the team.', { faults });
        // Without a limit a key of the team has the standard, or less where it was granted less.
        const usual = madeBy === 'team' ? Math.min(this.#standardLimit, grants.hourlyLimit) : this.#standardLimit;
        const wanted = { ...rest, madeBy, hourlyLimit: key.hourlyLimit ?? usual } as const;
        return succeed(await insertApiKey(manager, { ...wanted, ...(instant && { expiresAt: instant }) }));
      });
    });
  }

  list({ team }: RequestOf<typeof listKeys>, { caller }: CallFrame): Promise<Result<ReplyOf<typeof listKeys>>> {
    return mapDatabaseErrors(async () => {
      if (!(await this.#isTeamOf(caller, team))) return noTeam(team);
      const keys = await listApiKeys(this.source, team);
      return succeed({ team, keys: keys.map(toApiKey) });
    });
  }

  revoke(request: RequestOf<typeof revokeKey>, { caller }: CallFrame): Promise<Result<ByteReply>> {
    const { keyId, team } = request;
    return mapDatabaseErrors(async () => {
      const owner = team ?? (await findApiKey(this.pool, keyId))?.team;
      if (owner === undefined || !mayAdminister(caller, owner)) return noKey(keyId);
      const call = idempotentCallOf({ schema: 'gateway', tenant: owner }, revokeKey, request);
      const answer = await this.#once<ReplyOf<typeof revokeKey>>(call, owner, async (manager) => {
        if (!(await revokeApiKey(manager, owner, keyId))) return noKey(keyId);
        return succeed({ keyId, team: owner, revoked: true });
      });
      // Also when it is asked for again: the process that revoked it may have ended before it said so.
      if (answer.ok) this.revocations.announce(keyId);
      return answer;
    });
  }

  /** One transaction of the team: the effect and the answer that is kept. */
  #once<T>(
    call: IdempotentCall | undefined,
    team: string,
    work: (manager: EntityManager) => Promise<Result<T>>,
  ): Promise<Result<ByteReply>> {
    return attemptInTenant(this.source, team, (manager, client) =>
      answerOnce(client, call, async () => {
        const done = await work(manager);
        return done.ok ? succeed(jsonReply(done.value)) : done;
      }),
    );
  }

  async #isTeamOf(caller: Caller, team: string): Promise<boolean> {
    return mayAdminister(caller, team) && (await teamExists(this.source, team));
  }
}

const toApiKey = ({
  scopes,
  furtherScopes,
  attributes,
  createdAt,
  expiresAt,
  lastUsedAt,
  revokedAt,
  ...key
}: ListedApiKey) => ({
  ...key,
  scopes: [...scopes],
  furtherScopes: [...furtherScopes],
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, copyOf(value)])),
  createdAt: createdAt.toISOString(),
  ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
});

const copyOf = (value: string | readonly string[]): string | string[] =>
  typeof value === 'string' ? value : [...value];
