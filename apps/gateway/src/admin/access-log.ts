/** Changes to the members and roles of a team: each with its line in the log, in one transaction, one after the other. */
import { canAdminister, type CallFrame, type Caller } from '@tessera/contracts';
import type { AccessAction } from '@tessera/contracts/gateway';
import { fail, type Result } from '@tessera/failures';
import { mapDatabaseErrors } from '@tessera/persistence';
import { attemptInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { addAccessChange, findTeamInTransaction, lockTeam, type StoredGrants } from '@tessera/persistence/gateway';
import type { DataSource, EntityManager } from 'typeorm';
import { failTeamNotFound } from './key-administration.js';

type TeamAccess = {
  readonly manager: EntityManager;
  /** What the team was granted. */
  readonly granted: StoredGrants;
};

type TeamChange = TeamAccess & {
  /** Writes what changed into the log; nothing when both are the same. */
  readonly log: (kind: 'member' | 'role', target: string, before?: object, after?: object) => Promise<void>;
  /** Writes a line into the log. */
  readonly record: (action: AccessAction, target: string, detail: object) => Promise<void>;
};

/** It has another ETag than the caller has read. */
export const changedMeanwhile = (name: string) =>
  fail('CONTENT_CHANGED', `${name} is not as it was read; nothing was written.`);

/** It should not be there yet. */
export const thereAlready = (name: string) => fail('CONTENT_CHANGED', `${name} is there already; nothing was written.`);

/** Reads members and roles of a team, for who may administer it; for everybody else there is no such team. */
export const runTeamAccessRead = <T>(
  source: DataSource,
  caller: Caller,
  team: string,
  work: (access: TeamAccess) => Promise<Result<T>>,
): Promise<Result<T>> =>
  mapDatabaseErrors(async () => {
    if (!canAdminister(caller, team)) return failTeamNotFound(team);
    return attemptInTenantEntityTransaction(source, team, async (manager) => {
      const found = await findTeamInTransaction(manager, team);
      return found ? work({ manager, granted: found.grants }) : failTeamNotFound(team);
    });
  });

/** As `runTeamAccessRead`, while nobody else changes members and roles of the team. */
export const runTeamAccessChange = <T>(
  source: DataSource,
  { caller, requestId }: CallFrame,
  team: string,
  work: (change: TeamChange) => Promise<Result<T>>,
): Promise<Result<T>> =>
  mapDatabaseErrors(async () => {
    if (!canAdminister(caller, team)) return failTeamNotFound(team);
    return attemptInTenantEntityTransaction(source, team, async (manager) => {
      const found = await lockTeam(manager, team);
      if (!found) return failTeamNotFound(team);
      const by = { subject: caller.subject, subjectTeam: caller.team, requestId };
      const record: TeamChange['record'] = (action, target, detail) =>
        addAccessChange(manager, team, { ...by, action, target, detail });
      const log: TeamChange['log'] = async (kind, target, before, after) => {
        const detail = { ...(before && { before }), ...(after && { after }) };
        if (JSON.stringify(before) === JSON.stringify(after)) return;
        const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
        await record(`${kind}.${change}`, target, detail);
      };
      return work({ manager, granted: found.grants, log, record });
    });
  });
