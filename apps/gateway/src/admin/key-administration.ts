/**
 * API keys as an administrator may see and change them. Never shows a key again. A team that the caller may not administer is
 * reported as missing.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  canAdminister,
  operatorsTeam,
  type ByteReply,
  type CallFrame,
  type Caller,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import { createKey, revokeKey, type AccessAction, type listKeys } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import {
  runIdempotently,
  createIdempotentCall,
  mapDatabaseErrors,
  type IdempotentCall,
  type Pool,
} from '@tessera/persistence';
import { attemptInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  addAccessChange,
  countLiveApiKeys,
  findApiKey,
  insertApiKey,
  listApiKeys,
  lockTeam,
  revokeApiKey,
  teamExists,
  type ListedApiKey,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { findGrantViolations, resolveGrants } from '../auth/grants.js';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { createJsonByteReply } from '../http/send-reply.js';

export const failTeamNotFound = (team: string) => fail('GENERAL_NOTFOUND', `There is no team ${team}.`);
const noKey = (keyId: string) => fail('GENERAL_NOTFOUND', `There is no key ${keyId}.`);
const tooManyKeys = (keysMax: number) =>
  fail('GENERAL_CONFLICT', `The team has ${keysMax} keys already, the most that it may have; revoke one first.`);
const noGrants = { furtherScopes: [], attributes: {} };
const alreadyExpired = fail('GENERAL_CONSTRAINT_VIOLATION', 'The key would have expired already.', {
  faults: [{ in: 'body', path: 'expiresAt', message: 'expected an instant in the future.', rule: 'future' }],
});

@Injectable()
export class KeyAdministration {
  readonly #standardLimit: number;
  readonly #keysMax: number;

  constructor(
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    private readonly revocations: RevocationBroadcaster,
    @Inject(settingsToken) { RATE_LIMIT_PER_HOUR, TEAM_KEYS_MAX }: GatewayConfiguration,
  ) {
    this.#standardLimit = RATE_LIMIT_PER_HOUR;
    this.#keysMax = TEAM_KEYS_MAX;
  }

  create(request: RequestOf<typeof createKey>, frame: CallFrame): Promise<Result<ByteReply>> {
    const { key } = request;
    const { caller } = frame;
    return mapDatabaseErrors(async () => {
      if (!(await this.#isTeamOf(caller, key.team))) return failTeamNotFound(key.team);
      const place = { schema: 'gateway', tenant: key.team, secret: true } as const;
      const madeBy = caller.team === operatorsTeam ? 'operators' : 'team';
      // A team is not given the key that the operators have issued.
      const asked = { ...request, madeBy };
      return this.#once(createIdempotentCall(place, createKey, asked), key.team, async (manager) => {
        const { expiresAt, ...rest } = key;
        const instant = expiresAt === undefined ? undefined : new Date(expiresAt);
        if (instant && instant.getTime() <= Date.now()) return alreadyExpired;
        const grants = resolveGrants((await lockTeam(manager, key.team))?.grants ?? noGrants, this.#standardLimit);
        const faults = madeBy === 'team' ? findGrantViolations(grants, key) : [];
        if (faults.length > 0) return fail('GENERAL_CONSTRAINT_VIOLATION', 'The key goes beyond the team.', { faults });
        if ((await countLiveApiKeys(manager, key.team)) >= this.#keysMax) return tooManyKeys(this.#keysMax);
        // Without a limit a key of the team has the standard, or less where it was granted less.
        const usual = madeBy === 'team' ? Math.min(this.#standardLimit, grants.hourlyLimit) : this.#standardLimit;
        const wanted = { ...rest, madeBy, hourlyLimit: key.hourlyLimit ?? usual } as const;
        const created = await insertApiKey(manager, { ...wanted, ...(instant && { expiresAt: instant }) });
        const { team: _, ...after } = { ...wanted, ...(expiresAt !== undefined && { expiresAt }) };
        await addKeyLine(manager, key.team, frame, created.keyId, 'key.created', { after });
        return succeed(created);
      });
    });
  }

  list(
    { team, after, pageSize }: RequestOf<typeof listKeys>,
    { caller }: CallFrame,
  ): Promise<Result<ReplyOf<typeof listKeys>>> {
    return mapDatabaseErrors(async () => {
      if (!(await this.#isTeamOf(caller, team))) return failTeamNotFound(team);
      const found = await listApiKeys(this.source, team, after, pageSize + 1);
      const keys = found.slice(0, pageSize).map(toApiKey);
      const next = found.length > pageSize ? keys.at(-1)?.keyId : undefined;
      return succeed({ team, keys, ...(next !== undefined && { next }) });
    });
  }

  revoke(request: RequestOf<typeof revokeKey>, frame: CallFrame): Promise<Result<ByteReply>> {
    const { keyId, team } = request;
    const { caller } = frame;
    return mapDatabaseErrors(async () => {
      const owner = team ?? (await findApiKey(this.pool, keyId))?.team;
      if (owner === undefined || !canAdminister(caller, owner)) return noKey(keyId);
      const call = createIdempotentCall({ schema: 'gateway', tenant: owner }, revokeKey, request);
      const answer = await this.#once<ReplyOf<typeof revokeKey>>(call, owner, async (manager) => {
        const revoked = await revokeApiKey(manager, owner, keyId);
        if (revoked === 'unknown') return noKey(keyId);
        if (revoked === 'now') await addKeyLine(manager, owner, frame, keyId, 'key.revoked', {});
        return succeed({ keyId, team: owner, revoked: true });
      });
      // Also when it is asked for again: the process that revoked it may have ended before it said so.
      if (answer.ok) this.revocations.announce('key', keyId);
      return answer;
    });
  }

  /** One transaction of the team: the effect and the answer that is kept. */
  #once<T>(
    call: IdempotentCall | undefined,
    team: string,
    work: (manager: EntityManager) => Promise<Result<T>>,
  ): Promise<Result<ByteReply>> {
    return attemptInTenantEntityTransaction(this.source, team, (manager, client) =>
      runIdempotently(client, call, async () => {
        const done = await work(manager);
        return done.ok ? succeed(createJsonByteReply(done.value)) : done;
      }),
    );
  }

  async #isTeamOf(caller: Caller, team: string): Promise<boolean> {
    return canAdminister(caller, team) && (await teamExists(this.source, team));
  }
}

const addKeyLine = (
  manager: EntityManager,
  team: string,
  { caller, requestId }: CallFrame,
  keyId: string,
  action: Extract<AccessAction, `key.${string}`>,
  detail: object,
): Promise<void> => {
  const by = { subject: caller.subject, subjectTeam: caller.team, requestId };
  return addAccessChange(manager, team, { ...by, action, target: `key:${keyId}`, detail });
};

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
