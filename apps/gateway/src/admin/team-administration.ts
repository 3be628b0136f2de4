/**
 * Teams and their grants, as an administrator may see and change them. The operators alone make teams and set grants; who
 * may not administer a team is told that it is not there.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  mayAdminister,
  operatorsTeam,
  type CallFrame,
  type Caller,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import { TeamGrants, type listTeams, type readTeam, type writeTeam } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, type Pool } from '@tessera/persistence';
import {
  findTeam,
  listTeams as readTeams,
  teamExists,
  writeTeam as storeTeam,
  type StoredGrants,
  type StoredTeam,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { grantsOf } from '../auth/grants.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { noTeam } from './key-administration.js';

type Answer<O extends typeof listTeams | typeof readTeam | typeof writeTeam> = Promise<Result<ReplyOf<O>>>;

const onlyOperatorsGrant = fail('ADMIN_ACCESS_ERROR', 'The operators alone set what a team is granted.');

@Injectable()
export class TeamAdministration {
  readonly #standardLimit: number;

  constructor(
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(settingsToken) { RATE_LIMIT_PER_HOUR }: GatewayConfiguration,
  ) {
    this.#standardLimit = RATE_LIMIT_PER_HOUR;
  }

  list({ after = '', pageSize }: RequestOf<typeof listTeams>, { caller }: CallFrame): Answer<typeof listTeams> {
    return mapDatabaseErrors(async () => {
      if (caller.team !== operatorsTeam) {
        const own = caller.team > after ? await findTeam(this.source, caller.team) : undefined;
        return succeed({ teams: own ? [this.#toTeam(own)] : [] });
      }
      const found = await readTeams(this.pool, after, pageSize + 1);
      const teams = found.slice(0, pageSize);
      const next = found.length > pageSize ? teams.at(-1)?.team : undefined;
      return succeed({ teams: teams.map((team) => this.#toTeam(team)), ...(next !== undefined && { next }) });
    });
  }

  read({ team }: RequestOf<typeof readTeam>, { caller }: CallFrame): Answer<typeof readTeam> {
    return mapDatabaseErrors(async () => {
      const found = mayAdminister(caller, team) ? await findTeam(this.source, team) : undefined;
      return found ? succeed(this.#toTeam(found)) : noTeam(team);
    });
  }

  write({ team, properties }: RequestOf<typeof writeTeam>, { caller }: CallFrame): Answer<typeof writeTeam> {
    return mapDatabaseErrors(async () => {
      if (!(await this.#mayWrite(caller, team))) return noTeam(team);
      const { name, grants } = properties;
      if (grants !== undefined && caller.team !== operatorsTeam) return onlyOperatorsGrant;
      return succeed(this.#toTeam(await storeTeam(this.source, team, name, grants && stored(grants))));
    });
  }

  async #mayWrite(caller: Caller, team: string): Promise<boolean> {
    return caller.team === operatorsTeam || (mayAdminister(caller, team) && (await teamExists(this.source, team)));
  }

  #toTeam({ team, name, grants }: StoredTeam): ReplyOf<typeof readTeam> {
    return { team, name, grants: TeamGrants.required().parse(grantsOf(grants, this.#standardLimit)) };
  }
}

const stored = ({ scopes, furtherScopes = [], attributes = {}, hourlyLimit }: TeamGrants): StoredGrants => ({
  ...{ furtherScopes, attributes },
  ...(scopes && { scopes }),
  ...(hourlyLimit !== undefined && { hourlyLimit }),
});
