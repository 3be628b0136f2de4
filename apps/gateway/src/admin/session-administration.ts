/** Sessions of a team and what its members allowed clients, as an administrator may see and end them. Each end is a line in the log. */
import { Inject, Injectable } from '@nestjs/common';
import type { CallFrame, ReplyOf, RequestOf } from '@tessera/contracts';
import type {
  endMemberAccess,
  endTeamClientGrant,
  endTeamSession,
  listTeamClientGrants,
  listTeamSessions,
} from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors } from '@tessera/persistence';
import {
  deleteSession,
  findMember,
  findSessionHolder,
  listOAuthGrants,
  listSessions,
  listTeamSessions as readTeamSessions,
  type ListedOAuthGrant,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { Grants } from '../oauth/grants.js';
import { runTeamAccessChange, runTeamAccessRead } from './access-log.js';

@Injectable()
export class SessionAdministration {
  constructor(
    private readonly source: DataSource,
    private readonly revocations: RevocationBroadcaster,
    private readonly grants: Grants,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {}

  list(
    { team, memberId, after, pageSize }: RequestOf<typeof listTeamSessions>,
    { caller }: CallFrame,
  ): Promise<Result<ReplyOf<typeof listTeamSessions>>> {
    const idleSince = new Date(Date.now() - this.configuration.SESSION_IDLE_SECONDS * 1_000);
    return runTeamAccessRead(this.source, caller, team, async ({ manager }) => {
      const found = await readTeamSessions(manager, team, { memberId, after, idleSince, sessionsMax: pageSize + 1 });
      const sessions = found.slice(0, pageSize).map(({ createdAt, lastSeenAt, endsAt, ...session }) => ({
        ...session,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        endsAt: endsAt.toISOString(),
      }));
      const next = found.length > pageSize ? sessions.at(-1)?.sessionId : undefined;
      return succeed({ sessions, ...(next !== undefined && { next }) });
    });
  }

  async end(
    { team, sessionId }: RequestOf<typeof endTeamSession>,
    frame: CallFrame,
  ): Promise<Result<ReplyOf<typeof endTeamSession>>> {
    const ended = await runTeamAccessChange(this.source, frame, team, async ({ manager, record }) => {
      const holder = await findSessionHolder(manager, team, sessionId);
      if (!holder || !(await deleteSession(manager, team, holder, sessionId)))
        return fail('GENERAL_NOTFOUND', `There is no session ${sessionId}.`);
      await record('session.ended', holder.memberId ?? `key:${holder.keyId}`, { before: { sessionId } });
      return succeed({ ended: sessionId });
    });
    if (ended.ok) this.revocations.announceSessions({ sessionId });
    return ended;
  }

  endAccess(
    { team, memberId }: RequestOf<typeof endMemberAccess>,
    frame: CallFrame,
  ): Promise<Result<ReplyOf<typeof endMemberAccess>>> {
    return mapDatabaseErrors(async () => {
      const ended = await runTeamAccessChange(this.source, frame, team, async ({ manager, record }) => {
        if (!(await findMember(manager, team, memberId)))
          return fail('GENERAL_NOTFOUND', `There is no member ${memberId}.`);
        const sessions = await listSessions(manager, team, { memberId });
        for (const { sessionId } of sessions) {
          await deleteSession(manager, team, { memberId }, sessionId);
          await record('session.ended', memberId, { before: { sessionId } });
        }
        return succeed({ sessions: sessions.length, grants: await listOAuthGrants(manager, team, { memberId }) });
      });
      if (!ended.ok) return ended;
      this.revocations.announceSessions({ team, memberId });
      const { sessions, grants } = ended.value;
      for (const grant of grants) await this.#endGrant(grant, team, frame);
      return succeed({ sessions, clientGrants: grants.length });
    });
  }

  listGrants(
    { team, memberId, after, pageSize }: RequestOf<typeof listTeamClientGrants>,
    { caller }: CallFrame,
  ): Promise<Result<ReplyOf<typeof listTeamClientGrants>>> {
    return mapDatabaseErrors(async () => {
      const read = await runTeamAccessRead(this.source, caller, team, async ({ manager }) =>
        succeed(await listOAuthGrants(manager, team, { memberId, after, grantsMax: pageSize + 1 })),
      );
      if (!read.ok) return read;
      const found = read.value.slice(0, pageSize);
      const shown = await this.grants.describe(found);
      const grants = shown.map((grant, index) => ({ ...grant, memberId: found[index]?.memberId ?? '' }));
      const next = read.value.length > pageSize ? grants.at(-1)?.grantId : undefined;
      return succeed({ grants, ...(next !== undefined && { next }) });
    });
  }

  endGrant(
    { team, grantId }: RequestOf<typeof endTeamClientGrant>,
    frame: CallFrame,
  ): Promise<Result<ReplyOf<typeof endTeamClientGrant>>> {
    return mapDatabaseErrors(async () => {
      const found = await runTeamAccessRead(this.source, frame.caller, team, async ({ manager }) => {
        const [grant] = await listOAuthGrants(manager, team, { grantId });
        return grant ? succeed(grant) : fail('GENERAL_NOTFOUND', `There is no grant ${grantId}.`);
      });
      if (!found.ok) return found;
      await this.#endGrant(found.value, team, frame);
      return succeed({ ended: grantId });
    });
  }

  #endGrant(
    { grantId, memberId, clientId }: ListedOAuthGrant,
    team: string,
    { caller, requestId }: CallFrame,
  ): Promise<void> {
    return this.grants.end({
      ...{ holder: { team, memberId }, grantId, clientId, requestId },
      by: { subject: caller.subject, team: caller.team },
      reason: 'an administrator took it back',
    });
  }
}
