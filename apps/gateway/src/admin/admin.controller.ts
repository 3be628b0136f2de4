/** The administration that the gateway serves itself. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { createKey, listKeys, listTeams, readStatus, readTeam, revokeKey, writeTeam } from '@tessera/contracts/gateway';
import { Op } from '../http/op.js';
import { KeyAdministration } from './key-administration.js';
import { PlatformStatus } from './platform-status.js';
import { TeamAdministration } from './team-administration.js';

@Controller()
export class AdminController {
  constructor(
    private readonly keys: KeyAdministration,
    private readonly teams: TeamAdministration,
    private readonly status: PlatformStatus,
  ) {}

  @Op(createKey)
  createKey(input: RequestOf<typeof createKey>, frame: CallFrame) {
    return this.keys.create(input, frame);
  }

  @Op(listKeys)
  listKeys(input: RequestOf<typeof listKeys>, frame: CallFrame) {
    return this.keys.list(input, frame);
  }

  @Op(revokeKey)
  revokeKey(input: RequestOf<typeof revokeKey>, frame: CallFrame) {
    return this.keys.revoke(input, frame);
  }

  @Op(writeTeam)
  writeTeam(input: RequestOf<typeof writeTeam>, frame: CallFrame) {
    return this.teams.write(input, frame);
  }

  @Op(readTeam)
  readTeam(input: RequestOf<typeof readTeam>, frame: CallFrame) {
    return this.teams.read(input, frame);
  }

  @Op(listTeams)
  listTeams(input: RequestOf<typeof listTeams>, frame: CallFrame) {
    return this.teams.list(input, frame);
  }

  @Op(readStatus)
  readStatus(_input: RequestOf<typeof readStatus>, frame: CallFrame) {
    return this.status.read(frame);
  }
}
