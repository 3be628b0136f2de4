/** What members allowed clients: how it ends, and the lines about it in the log of the team. */
import { Injectable } from '@nestjs/common';
import type { AccessAction } from '@tessera/contracts/gateway';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { addAccessChange, deleteOAuthGrant } from '@tessera/persistence/gateway';
import { DataSource } from 'typeorm';
import { RevocationBroadcaster } from '../auth/revocations.js';

export type GrantHolder = { readonly team: string; readonly memberId: string };

type GrantLine = {
  readonly action: Extract<AccessAction, `client.${string}`>;
  readonly holder: GrantHolder;
  /** The team of who acts, when it is another one. */
  readonly by?: { readonly subject: string; readonly team: string };
  readonly requestId: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

type GrantEnd = {
  readonly holder: GrantHolder;
  readonly grantId: string;
  readonly clientId: string;
  readonly requestId: string;
  readonly reason: string;
};

@Injectable()
export class Grants {
  constructor(
    private readonly source: DataSource,
    private readonly revocations: RevocationBroadcaster,
  ) {}

  /** With all of its tokens, everywhere. Twice does no harm. Rejects with the error of the database. */
  async end({ holder, grantId, clientId, requestId, reason }: GrantEnd): Promise<void> {
    const { team } = holder;
    const isEnded = await runInTenantEntityTransaction(this.source, team, async (manager) => {
      if (!(await deleteOAuthGrant(manager, team, grantId))) return false;
      const detail = { before: { client: clientId, grantId }, after: { reason } };
      await addAccessChange(manager, team, lineOf({ action: 'client.ended', holder, requestId, detail }));
      return true;
    });
    if (isEnded) this.revocations.announce('grant', grantId);
  }

  /** Rejects with the error of the database. */
  async log(line: GrantLine): Promise<void> {
    const { team } = line.holder;
    await runInTenantEntityTransaction(this.source, team, (manager) => addAccessChange(manager, team, lineOf(line)));
  }
}

const lineOf = ({ action, holder: { team, memberId }, by, requestId, detail }: GrantLine) => ({
  ...{ action, requestId, detail, target: memberId },
  subject: by?.subject ?? `member:${memberId}`,
  subjectTeam: by?.team ?? team,
});
