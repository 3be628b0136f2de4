/** What members allowed clients: how it is listed and ends, and the lines about it in the log of the team. */
import { Inject, Injectable } from '@nestjs/common';
import type { ReplyOf } from '@tessera/contracts';
import type { AccessAction, endOwnClientGrant, listClientGrants } from '@tessera/contracts/gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { mapDatabaseErrors, type Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  addAccessChange,
  deleteOAuthGrant,
  findGrantsFromIssuer,
  findOAuthClient,
  listOAuthGrants,
  type ListedOAuthGrant,
} from '@tessera/persistence/gateway';
import { settingsToken } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { RevocationBroadcaster } from '../auth/revocations.js';
import type { GatewayConfiguration } from '../configuration.js';
import { poolToken } from '../database.module.js';
import type { HttpExchange } from '../http/exchange.js';

export type GrantHolder = { readonly team: string; readonly memberId: string };

type ShownGrant = ReplyOf<typeof listClientGrants>['grants'][number];

type GrantLine = {
  readonly action: Extract<AccessAction, `client.${string}`>;
  readonly holder: GrantHolder;
  /** The team of who acts, when it is another one. */
  readonly by?: { readonly subject: string; readonly team: string } | undefined;
  readonly requestId: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

type GrantEnd = {
  readonly holder: GrantHolder;
  readonly grantId: string;
  readonly clientId: string;
  readonly by?: GrantLine['by'];
  readonly requestId: string;
  readonly reason: string;
};

@Injectable()
export class Grants {
  constructor(
    private readonly source: DataSource,
    private readonly revocations: RevocationBroadcaster,
    @Inject(poolToken) private readonly pool: Pool,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {}

  /** Those of the member that is signed in. */
  list(exchange: HttpExchange): Promise<Result<ReplyOf<typeof listClientGrants>>> {
    return mapDatabaseErrors(async () => {
      const holder = holderOf(exchange);
      return succeed({ grants: [...(await this.describe(holder ? await this.#find(holder) : []))] });
    });
  }

  /** As people read them. */
  async describe(found: readonly ListedOAuthGrant[]): Promise<readonly ShownGrant[]> {
    const names = await this.#namesOf(found.map(({ clientId }) => clientId));
    return found.map((grant) => shownGrant(grant, names.get(grant.clientId)));
  }

  /** Of the member that is signed in. */
  endOwn(grantId: string, exchange: HttpExchange): Promise<Result<ReplyOf<typeof endOwnClientGrant>>> {
    return mapDatabaseErrors(async () => {
      const holder = holderOf(exchange);
      const grant = holder && (await this.#find(holder)).find((each) => each.grantId === grantId);
      if (!holder || !grant) return noGrant;
      const { requestId } = exchange;
      await this.end({ holder, grantId, clientId: grant.clientId, requestId, reason: 'the person took it back' });
      return succeed({ ended: grantId });
    });
  }

  /** With all of its tokens, everywhere. Twice does no harm. Rejects with the error of the database. */
  async end({ holder, grantId, clientId, by, requestId, reason }: GrantEnd): Promise<void> {
    const { team } = holder;
    const isEnded = await runInTenantEntityTransaction(this.source, team, async (manager) => {
      if (!(await deleteOAuthGrant(manager, team, grantId))) return false;
      const detail = { before: { client: clientId, grantId }, after: { reason } };
      await addAccessChange(manager, team, lineOf({ action: 'client.ended', holder, by, requestId, detail }));
      return true;
    });
    if (isEnded) this.revocations.announce('grant', grantId);
  }

  /** Those of the person, or of the session at the issuer, in all teams. Rejects with the error of the database. */
  async endByIssuer(signedOut: Parameters<typeof findGrantsFromIssuer>[1], requestId: string): Promise<void> {
    for (const { team, memberId, grantId, clientId } of await findGrantsFromIssuer(this.pool, signedOut)) {
      const by = { subject: signedOut.issuer, team };
      await this.end({
        holder: { team, memberId },
        grantId,
        clientId,
        by,
        requestId,
        reason: 'signed out at the issuer',
      });
    }
  }

  #find({ team, memberId }: GrantHolder): Promise<readonly ListedOAuthGrant[]> {
    return runInTenantEntityTransaction(this.source, team, (manager) => listOAuthGrants(manager, team, { memberId }));
  }

  /** Client -> how it is called; no document is fetched for it. */
  async #namesOf(clientIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { OAUTH_CLIENTS: listed } = this.configuration;
    const names = [...new Set(clientIds)].map(async (clientId) => {
      const named = Object.hasOwn(listed, clientId) ? listed[clientId]?.name : undefined;
      if (named !== undefined) return [clientId, named] as const;
      if (clientId.startsWith('https://')) return [clientId, new URL(clientId).host] as const;
      const stored = await findOAuthClient(this.pool, clientId);
      return [clientId, RegisteredClient.parse(stored?.metadata ?? {}).client_name ?? clientId] as const;
    });
    return new Map(await Promise.all(names));
  }

  /** Rejects with the error of the database. */
  async log(line: GrantLine): Promise<void> {
    const { team } = line.holder;
    await runInTenantEntityTransaction(this.source, team, (manager) => addAccessChange(manager, team, lineOf(line)));
  }
}

const noGrant = fail('GENERAL_NOTFOUND', 'You have allowed no such thing to a client.');

/** Sessions of members alone: a client may not see or end what others were allowed. */
const holderOf = ({ verified }: HttpExchange): GrantHolder | undefined => {
  const memberId = verified?.session?.memberId;
  return verified && memberId !== undefined ? { team: verified.caller.team, memberId } : undefined;
};

const GrantPayload = z.object({
  resources: z.record(z.string(), z.string()).default({}),
  openid: z.object({ scope: z.string().default('') }).default({ scope: '' }),
});
const RegisteredClient = z.object({ client_name: z.string().optional() });

const shownGrant = (
  { grantId, clientId, createdAt, expiresAt, payload }: ListedOAuthGrant,
  clientName = clientId,
): ShownGrant => {
  const { resources, openid } = GrantPayload.parse(payload);
  const [resource] = Object.keys(resources);
  return {
    ...{ grantId, clientId, clientName, ...(resource !== undefined && { resource }) },
    scopes: [...Object.values(resources), openid.scope].flatMap((scope) => scope.split(' ')).filter(Boolean),
    createdAt: createdAt.toISOString(),
    endsAt: expiresAt.toISOString(),
  };
};

const lineOf = ({ action, holder: { team, memberId }, by, requestId, detail }: GrantLine) => ({
  ...{ action, requestId, detail, target: memberId },
  subject: by?.subject ?? `member:${memberId}`,
  subjectTeam: by?.team ?? team,
});
