/** Who calls, for the caller: what the credential says, the names that go with it, and what is left of its hour. */
import { Inject, Injectable } from '@nestjs/common';
import { Me } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, type Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  findApiKey,
  findMember,
  findMemberships,
  findSessionOrigin,
  findTeam,
  type MemberIdentity,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import type { z } from 'zod';
import type { VerifiedCredential } from '../auth/verification.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import type { HttpExchange } from '../http/exchange.js';

type Me = z.output<typeof Me>;
type Names = Pick<Me, 'teams' | 'displayName'>;

@Injectable()
export class CallerDescriber {
  readonly #issuer: string | undefined;
  readonly #idleMs: number;

  constructor(
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(settingsToken) { JWT_ISSUER, SESSION_IDLE_SECONDS }: GatewayConfiguration,
  ) {
    this.#issuer = JWT_ISSUER;
    this.#idleMs = SESSION_IDLE_SECONDS * 1_000;
  }

  describe({ verified, limit }: Pick<HttpExchange, 'verified' | 'limit'>): Promise<Result<Me>> {
    return mapDatabaseErrors(async () => {
      if (!verified || !limit) return fail('ADMIN_FATAL_ERROR', 'The caller is not known.');
      const { caller, keyId, tokenId, session } = verified;
      const { team, subject, scopes, furtherScopes = [], attributes = {} } = caller;
      const isToken = keyId === undefined || tokenId !== undefined;
      return succeed({
        kind: session ? ('session' as const) : isToken ? ('token' as const) : ('key' as const),
        subject,
        team,
        ...(await this.#namesOf(verified)),
        scopes: [...scopes],
        furtherScopes: [...furtherScopes],
        attributes: Object.keys(attributes).toSorted(),
        limit: { hourly: limit.limit, remaining: limit.remaining, resetsAt: limit.reset },
        ...(session && {
          session: {
            sessionId: session.sessionId,
            endsAt: new Date(session.endsAtMs).toISOString(),
            idleEndsAt: new Date(Math.min(session.endsAtMs, Date.now() + this.#idleMs)).toISOString(),
          },
        }),
      });
    });
  }

  #namesOf(verified: VerifiedCredential): Promise<Names> {
    const { caller, keyId, session, grant } = verified;
    if (keyId !== undefined) return this.#namesOfKey(caller.team, keyId);
    const memberId = session?.memberId ?? grant?.memberId ?? verified.memberId;
    return memberId === undefined ? this.#namesOfToken(verified) : this.#namesOfMember(verified, memberId);
  }

  /** Other teams are told to whom an issuer has named; the identity that a team writes of its member proves nothing to others. */
  async #namesOfMember(
    { caller: { team }, session, memberId: named }: VerifiedCredential,
    memberId: string,
  ): Promise<Names> {
    const { member, origin } = await runInTenantEntityTransaction(this.source, team, async (manager) => ({
      member: await findMember(manager, team, memberId),
      origin: session && (await findSessionOrigin(manager, team, session.sessionId)),
    }));
    const identity = named === undefined ? origin : member?.identity;
    const [own, others] = await Promise.all([this.#ownTeam(team), this.#otherTeams(team, identity)]);
    return { teams: [own, ...others], ...(member && { displayName: member.displayName }) };
  }

  async #otherTeams(team: string, identity: MemberIdentity | undefined): Promise<Names['teams']> {
    const memberships = identity ? await findMemberships(this.pool, identity) : [];
    return memberships
      .filter((each) => each.team !== team && each.disabledAt === null)
      .map((each) => ({ team: each.team, name: each.teamName }));
  }

  async #namesOfKey(team: string, keyId: string): Promise<Names> {
    const [own, key] = await Promise.all([this.#ownTeam(team), findApiKey(this.pool, keyId)]);
    return { teams: [own], ...(key && { displayName: key.name }) };
  }

  /** Of a person who is disabled in a team, that team is not told; the team of the token is. */
  async #namesOfToken({ caller: { team, subject, attributes } }: VerifiedCredential): Promise<Names> {
    const [own, memberships] = await Promise.all([
      this.#ownTeam(team),
      this.#issuer === undefined ? [] : findMemberships(this.pool, { issuer: this.#issuer, subject }),
    ]);
    const others = memberships.filter((each) => each.team !== team && each.disabledAt === null);
    const displayName = memberships.find((each) => each.team === team)?.displayName ?? attributes?.['name'];
    return {
      teams: [own, ...others.map((each) => ({ team: each.team, name: each.teamName }))],
      ...(typeof displayName === 'string' && { displayName }),
    };
  }

  /** A team that only an issuer knows is called by its id. */
  async #ownTeam(team: string): Promise<Me['teams'][number]> {
    return { team, name: (await findTeam(this.source, team))?.name ?? team };
  }
}
