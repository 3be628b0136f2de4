/**
 * Teams and their grants, as an administrator may see and change them. The operators alone make teams and set grants; who
 * may not administer a team is told that it is not there.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  canAdminister,
  operatorsTeam,
  type CallFrame,
  type Caller,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import { TeamGrants, type listTeams, type readTeam, type readUsage, type writeTeam } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, type Pool } from '@tessera/persistence';
import {
  findTeam,
  listTeams as readTeams,
  readCredentialUses,
  readHoursOfUse,
  teamExists,
  writeTeam as storeTeam,
  type StoredGrants,
  type StoredTeam,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { resolveGrants } from '../auth/grants.js';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import { failTeamNotFound } from './key-administration.js';

type Answer<O extends typeof listTeams | typeof readTeam | typeof readUsage | typeof writeTeam> = Promise<
  Result<ReplyOf<O>>
>;

const onlyOperatorsGrant = fail('ADMIN_ACCESS_ERROR', 'The operators alone set what a team is granted.');

const listedCredentialsMax = 100;

@Injectable()
export class TeamAdministration {
  readonly #standardLimit: number;

  constructor(
    private readonly source: DataSource,
    @Inject(poolToken) private readonly pool: Pool,
    private readonly revocations: RevocationBroadcaster,
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
      const found = canAdminister(caller, team) ? await findTeam(this.source, team) : undefined;
      return found ? succeed(this.#toTeam(found)) : failTeamNotFound(team);
    });
  }

  usage({ team }: RequestOf<typeof readUsage>, { caller }: CallFrame): Answer<typeof readUsage> {
    return mapDatabaseErrors(async () => {
      // A team that only an issuer knows has requests as well.
      const isThere = caller.team === team || (await teamExists(this.source, team));
      if (!canAdminister(caller, team) || !isThere) return failTeamNotFound(team);
      const [hours, credentials] = await Promise.all([
        readHoursOfUse(this.pool, team),
        readCredentialUses(this.pool, team, listedCredentialsMax),
      ]);
      return succeed({ hours: [...hours], credentials: [...credentials] });
    });
  }

  write({ team, properties }: RequestOf<typeof writeTeam>, { caller }: CallFrame): Answer<typeof writeTeam> {
    return mapDatabaseErrors(async () => {
      if (!(await this.#mayWrite(caller, team))) return failTeamNotFound(team);
      const { name, grants } = properties;
      if (grants !== undefined && caller.team !== operatorsTeam) return onlyOperatorsGrant;
      const stored = await storeTeam(this.source, team, name, grants && storedGrants(grants));
      if (grants) this.revocations.announceSessions({ team });
      return succeed(this.#toTeam(stored));
    });
  }

  async #mayWrite(caller: Caller, team: string): Promise<boolean> {
    return caller.team === operatorsTeam || (canAdminister(caller, team) && (await teamExists(this.source, team)));
  }

  #toTeam({ team, name, grants }: StoredTeam): ReplyOf<typeof readTeam> {
    return { team, name, grants: TeamGrants.required().parse(resolveGrants(grants, this.#standardLimit)) };
  }
}

const storedGrants = ({ scopes, furtherScopes = [], attributes = {}, hourlyLimit }: TeamGrants): StoredGrants => ({
  ...{ furtherScopes, attributes },
  ...(scopes && { scopes }),
  ...(hourlyLimit !== undefined && { hourlyLimit }),
});
