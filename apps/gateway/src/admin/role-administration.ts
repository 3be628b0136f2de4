/** Roles of teams as an administrator may see and change them. Never changes what a built-in role means. */
import { Inject, Injectable } from '@nestjs/common';
import { isMatch, type ByteReply, type CallFrame, type ReplyOf, type RequestOf } from '@tessera/contracts';
import {
  AccessRole,
  builtInRoles,
  isBuiltInRole,
  type deleteRole,
  type listRoles,
  type readRole,
  type writeRole,
} from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import {
  countRoleHolders,
  deleteRole as removeRole,
  listRoles as readRoles,
  saveRole,
  type StoredRole,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { findGrantViolations, resolveGrants } from '../auth/grants.js';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { createTaggedReply, etagOf } from '../http/send-reply.js';
import { changedMeanwhile, runTeamAccessChange, runTeamAccessRead, thereAlready } from './access-log.js';

type Answer<O extends typeof listRoles | typeof deleteRole> = Promise<Result<ReplyOf<O>>>;

const rolesMax = 100;
const noRole = (role: string) => fail('GENERAL_NOTFOUND', `The team defines no role ${role}.`);
const builtIn = (role: string) =>
  fail('GENERAL_CONFLICT', `The role ${role} is built in; it is the same in every team.`);
const tooManyRoles = fail('GENERAL_CONFLICT', `A team has at most ${rolesMax} roles of its own.`);

@Injectable()
export class RoleAdministration {
  readonly #standardLimit: number;

  constructor(
    private readonly source: DataSource,
    private readonly revocations: RevocationBroadcaster,
    @Inject(settingsToken) { RATE_LIMIT_PER_HOUR }: GatewayConfiguration,
  ) {
    this.#standardLimit = RATE_LIMIT_PER_HOUR;
  }

  read({ team, role }: RequestOf<typeof readRole>, { caller }: CallFrame): Promise<Result<ByteReply>> {
    return runTeamAccessRead(this.source, caller, team, async ({ manager }) => {
      const found = isBuiltInRole(role) ? toBuiltInRole(role) : await findRole(manager, team, role);
      return found ? succeed(createTaggedReply(found)) : noRole(role);
    });
  }

  list({ team }: RequestOf<typeof listRoles>, { caller }: CallFrame): Answer<typeof listRoles> {
    return runTeamAccessRead(this.source, caller, team, async ({ manager }) =>
      succeed({
        roles: [
          ...Object.keys(builtInRoles).filter(isBuiltInRole).map(toBuiltInRole),
          ...(await readRoles(manager, team)).map((role) => toRole(role, false)),
        ],
      }),
    );
  }

  async write(request: RequestOf<typeof writeRole>, frame: CallFrame): Promise<Result<ByteReply>> {
    const written = await this.#write(request, frame);
    // Who has the role may do something else from now on.
    if (written.ok) this.revocations.announceSessions({ team: request.team });
    return written;
  }

  #write(
    { team, role, ifMatch, ifNoneMatch, properties }: RequestOf<typeof writeRole>,
    frame: CallFrame,
  ): Promise<Result<ByteReply>> {
    return runTeamAccessChange(this.source, frame, team, async ({ manager, granted, log }) => {
      if (isBuiltInRole(role)) return builtIn(role);
      const { description = '', scopes, furtherScopes = [] } = properties;
      const wanted = {
        name: role,
        description,
        scopes: [...new Set(scopes)],
        furtherScopes: [...new Set(furtherScopes)],
      };
      const faults = findGrantViolations(resolveGrants(granted, this.#standardLimit), { scopes, furtherScopes });
      if (faults.length > 0) return fail('GENERAL_CONSTRAINT_VIOLATION', 'The role goes beyond the team.', { faults });
      const defined = await readRoles(manager, team);
      const before = defined.find(({ name }) => name === role);
      if (!isMatch(ifMatch, before && etagOf(toRole(before, false)))) return changedMeanwhile(role);
      if (ifNoneMatch !== undefined && before) return thereAlready(role);
      if (!before && defined.length >= rolesMax) return tooManyRoles;
      await saveRole(manager, team, wanted);
      await log('role', role, before && loggedRole(before), loggedRole(wanted));
      return succeed(createTaggedReply(toRole(wanted, false)));
    });
  }

  delete({ team, role, ifMatch }: RequestOf<typeof deleteRole>, frame: CallFrame): Answer<typeof deleteRole> {
    return runTeamAccessChange(this.source, frame, team, async ({ manager, log }) => {
      if (isBuiltInRole(role)) return builtIn(role);
      const before = (await readRoles(manager, team)).find(({ name }) => name === role);
      if (!before) return noRole(role);
      if (!isMatch(ifMatch, etagOf(toRole(before, false)))) return changedMeanwhile(role);
      const holders = await countRoleHolders(manager, team, role);
      if (holders > 0) return fail('GENERAL_CONFLICT', `The role ${role} is held by ${describeHolders(holders)}.`);
      await removeRole(manager, team, role);
      await log('role', role, loggedRole(before));
      return succeed({ deleted: role });
    });
  }
}

const toBuiltInRole = (name: keyof typeof builtInRoles) =>
  toRole({ name, furtherScopes: [], ...builtInRoles[name] }, true);

const findRole = async (manager: EntityManager, team: string, role: string) => {
  const found = (await readRoles(manager, team)).find(({ name }) => name === role);
  return found && toRole(found, false);
};

const toRole = (role: StoredRole, isBuiltIn: boolean) => AccessRole.parse({ ...role, builtIn: isBuiltIn });

const loggedRole = ({ description, scopes, furtherScopes }: StoredRole): object => ({
  description,
  scopes,
  furtherScopes,
});

const describeHolders = (count: number): string => (count === 1 ? 'a member' : `${count} members`);
