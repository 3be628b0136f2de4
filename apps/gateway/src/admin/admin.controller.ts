/** The administration that the gateway serves itself. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  createKey,
  deleteMember,
  deleteRole,
  endMemberAccess,
  endTeamClientGrant,
  endTeamSession,
  listAccessChanges,
  listKeys,
  listMembers,
  listRoles,
  listTeamClientGrants,
  listTeamSessions,
  listTeams,
  readMe,
  readMember,
  readPlatformStatus,
  readRole,
  readTeam,
  readUsage,
  revokeKey,
  setPassword,
  writeMember,
  writeRole,
  writeTeam,
} from '@tessera/contracts/gateway';
import type { FastifyRequest } from 'fastify';
import { OperationRoute } from '../http/op.js';
import { CallerDescriber } from './caller-description.js';
import { KeyAdministration } from './key-administration.js';
import { MemberAdministration } from './member-administration.js';
import { PlatformStatusReader } from './platform-status.js';
import { RoleAdministration } from './role-administration.js';
import { SessionAdministration } from './session-administration.js';
import { TeamAdministration } from './team-administration.js';

@Controller()
export class AdminController {
  constructor(
    private readonly keys: KeyAdministration,
    private readonly teams: TeamAdministration,
    private readonly members: MemberAdministration,
    private readonly roles: RoleAdministration,
    private readonly callers: CallerDescriber,
    private readonly status: PlatformStatusReader,
    private readonly sessions: SessionAdministration,
  ) {}

  @OperationRoute(createKey)
  createKey(input: RequestOf<typeof createKey>, frame: CallFrame) {
    return this.keys.create(input, frame);
  }

  @OperationRoute(listKeys)
  listKeys(input: RequestOf<typeof listKeys>, frame: CallFrame) {
    return this.keys.list(input, frame);
  }

  @OperationRoute(revokeKey)
  revokeKey(input: RequestOf<typeof revokeKey>, frame: CallFrame) {
    return this.keys.revoke(input, frame);
  }

  @OperationRoute(writeTeam)
  writeTeam(input: RequestOf<typeof writeTeam>, frame: CallFrame) {
    return this.teams.write(input, frame);
  }

  @OperationRoute(readTeam)
  readTeam(input: RequestOf<typeof readTeam>, frame: CallFrame) {
    return this.teams.read(input, frame);
  }

  @OperationRoute(readUsage)
  readUsage(input: RequestOf<typeof readUsage>, frame: CallFrame) {
    return this.teams.usage(input, frame);
  }

  @OperationRoute(listTeams)
  listTeams(input: RequestOf<typeof listTeams>, frame: CallFrame) {
    return this.teams.list(input, frame);
  }

  @OperationRoute(listMembers)
  listMembers(input: RequestOf<typeof listMembers>, frame: CallFrame) {
    return this.members.list(input, frame);
  }

  @OperationRoute(readMember)
  readMember(input: RequestOf<typeof readMember>, frame: CallFrame) {
    return this.members.read(input, frame);
  }

  @OperationRoute(writeMember)
  writeMember(input: RequestOf<typeof writeMember>, frame: CallFrame) {
    return this.members.write(input, frame);
  }

  @OperationRoute(deleteMember)
  deleteMember(input: RequestOf<typeof deleteMember>, frame: CallFrame) {
    return this.members.delete(input, frame);
  }

  @OperationRoute(setPassword)
  setPassword(input: RequestOf<typeof setPassword>, frame: CallFrame) {
    return this.members.setPassword(input, frame);
  }

  @OperationRoute(listAccessChanges)
  listAccessChanges(input: RequestOf<typeof listAccessChanges>, frame: CallFrame) {
    return this.members.changes(input, frame);
  }

  @OperationRoute(listRoles)
  listRoles(input: RequestOf<typeof listRoles>, frame: CallFrame) {
    return this.roles.list(input, frame);
  }

  @OperationRoute(readRole)
  readRole(input: RequestOf<typeof readRole>, frame: CallFrame) {
    return this.roles.read(input, frame);
  }

  @OperationRoute(writeRole)
  writeRole(input: RequestOf<typeof writeRole>, frame: CallFrame) {
    return this.roles.write(input, frame);
  }

  @OperationRoute(deleteRole)
  deleteRole(input: RequestOf<typeof deleteRole>, frame: CallFrame) {
    return this.roles.delete(input, frame);
  }

  @OperationRoute(listTeamSessions)
  listSessions(input: RequestOf<typeof listTeamSessions>, frame: CallFrame) {
    return this.sessions.list(input, frame);
  }

  @OperationRoute(endTeamSession)
  endSession(input: RequestOf<typeof endTeamSession>, frame: CallFrame) {
    return this.sessions.end(input, frame);
  }

  @OperationRoute(endMemberAccess)
  endAccess(input: RequestOf<typeof endMemberAccess>, frame: CallFrame) {
    return this.sessions.endAccess(input, frame);
  }

  @OperationRoute(listTeamClientGrants)
  listClientGrants(input: RequestOf<typeof listTeamClientGrants>, frame: CallFrame) {
    return this.sessions.listGrants(input, frame);
  }

  @OperationRoute(endTeamClientGrant)
  endClientGrant(input: RequestOf<typeof endTeamClientGrant>, frame: CallFrame) {
    return this.sessions.endGrant(input, frame);
  }

  @OperationRoute(readMe)
  readMe(_input: RequestOf<typeof readMe>, _frame: CallFrame, _leaving: AbortSignal, { exchange }: FastifyRequest) {
    return this.callers.describe(exchange);
  }

  @OperationRoute(readPlatformStatus)
  readStatus(_input: RequestOf<typeof readPlatformStatus>, frame: CallFrame) {
    return this.status.read(frame);
  }
}
