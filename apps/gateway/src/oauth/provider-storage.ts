/**
 * Where oidc-provider keeps what it knows: PostgreSQL, the same for all replicas. Codes and refresh tokens are used once; who uses one a
 * second time, also at the same moment, ends its grant and whatever came of it. There are no sessions of its own: who is signed in is known
 * by the session of the platform.
 */
import type { Pool } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  consumeOAuthToken,
  deleteOAuthInteraction,
  deleteOAuthToken,
  findOAuthClient,
  findOAuthGrants,
  findOAuthInteraction,
  findCodeOrRefreshToken,
  insertOAuthToken,
  registerOAuthClient,
  saveOAuthGrant,
  saveOAuthInteraction,
  type OAuthPayload,
  type OAuthTokenKind,
} from '@tessera/persistence/gateway';
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { holderOf } from './account-id.js';
import { clientLifeSeconds } from './client-metadata.js';
import type { Grants } from './grants.js';
import { currentProviderRequest } from './provider-context.js';
import { redirectFault } from './redirect-address.js';

const clientsMax = 10_000;

type StorageOptions = {
  readonly pool: Pool;
  readonly source: DataSource;
  readonly grants: Grants;
};

export const storageOf =
  (options: StorageOptions): AdapterFactory =>
  (model) => {
    switch (model) {
      case 'Grant':
        return { ...noStorage, ...grantStorage(options) };
      case 'AuthorizationCode':
      case 'RefreshToken':
        return { ...noStorage, ...tokenStorage(model, options) };
      case 'Interaction':
        return { ...noStorage, ...interactionStorage(options) };
      case 'Client':
        return { ...noStorage, ...clientStorage(options) };
      default:
        // Sessions, and access tokens, which are signed.
        return noStorage;
    }
  };

const nothing = async (): Promise<undefined> => undefined;
const noStorage: Adapter = {
  ...{ upsert: nothing, find: nothing, findByUid: nothing, findByUserCode: nothing },
  ...{ consume: nothing, destroy: nothing, revokeByGrantId: nothing },
};

const providerPayload = z.custom<AdapterPayload>((value) => typeof value === 'object' && value !== null);
const storable = (payload: AdapterPayload): OAuthPayload => ({ ...payload });

const grantStorage = ({ pool, source, grants }: StorageOptions): Partial<Adapter> => ({
  upsert: async (grantId, payload, lifetimeSeconds = 0) => {
    const { accountId = '', clientId = '' } = payload;
    const { team, memberId } = holderOf(accountId);
    const grant = { grantId, memberId, clientId, payload: storable(payload), lifetimeSeconds };
    await runInTenantEntityTransaction(source, team, (manager) => saveOAuthGrant(manager, team, grant));
  },
  find: async (grantId) => {
    const [found] = await findOAuthGrants(pool, [grantId]);
    return found && providerPayload.parse(found.payload);
  },
  destroy: async (grantId) => {
    const [found] = await findOAuthGrants(pool, [grantId]);
    if (!found) return;
    await grants.end({
      holder: { team: found.team, memberId: found.member.memberId },
      ...{ grantId, clientId: found.clientId },
      requestId: currentProviderRequest()?.edge.exchange.requestId ?? '',
      reason: 'a code or a refresh token of it was used twice',
    });
  },
});

const tokenStorage = (kind: OAuthTokenKind, options: StorageOptions): Partial<Adapter> => {
  const { pool, source } = options;
  const grantsStored = grantStorage(options);
  const endGrant = async (grantId: string): Promise<void> => void (await grantsStored.destroy?.(grantId));
  return {
    upsert: async (id, payload, lifetimeSeconds = 0) => {
      const { accountId = '', grantId = '' } = payload;
      const { team } = holderOf(accountId);
      const token = { kind, id, grantId, payload: storable(payload), lifetimeSeconds };
      const isStored = await runInTenantEntityTransaction(source, team, (manager) =>
        insertOAuthToken(manager, team, token),
      );
      // Another use of the same code or token was faster.
      if (!isStored) throw new errors.InvalidGrant('the grant has ended');
    },
    find: async (id) => {
      const found = await findCodeOrRefreshToken(pool, kind, id);
      if (!found) return undefined;
      const exchange = currentProviderRequest();
      if (exchange) exchange.token = found;
      return providerPayload.parse({
        ...found.payload,
        ...(found.consumedAt && { consumed: secondsOf(found.consumedAt) }),
      });
    },
    consume: async (id) => {
      const found = await findCodeOrRefreshToken(pool, kind, id);
      if (!found) throw new errors.InvalidGrant('it has ended');
      if (
        await runInTenantEntityTransaction(source, found.team, (manager) => consumeOAuthToken(manager, found.team, id))
      )
        return;
      await endGrant(found.grantId);
      throw new errors.InvalidGrant('it was used at the same moment');
    },
    destroy: async (id) => {
      const found = await findCodeOrRefreshToken(pool, kind, id);
      if (found)
        await runInTenantEntityTransaction(source, found.team, (manager) => deleteOAuthToken(manager, found.team, id));
    },
    revokeByGrantId: endGrant,
  };
};

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1_000);

const interactionStorage = ({ pool }: StorageOptions): Partial<Adapter> => ({
  upsert: (id, payload, lifetimeSeconds = 0) => saveOAuthInteraction(pool, id, storable(payload), lifetimeSeconds),
  find: async (id) => {
    const payload = await findOAuthInteraction(pool, id);
    return payload && providerPayload.parse(payload);
  },
  destroy: (id) => deleteOAuthInteraction(pool, id),
});

const StoredRedirects = z.object({ redirect_uris: z.array(z.string()) });

/** A secret is compared by its digest, which stands in its place. */
const clientStorage = ({ pool }: StorageOptions): Partial<Adapter> => ({
  upsert: async (clientId, { client_secret: secret, ...metadata }) => {
    const isStored = await registerOAuthClient(pool, {
      ...{ clientId, metadata: storable(metadata), secret, clientsMax },
      lifetimeSeconds: clientLifeSeconds.unused,
    });
    if (!isStored) throw new errors.TemporarilyUnavailable('too many clients are registered here');
  },
  find: async (clientId) => {
    const found = await findOAuthClient(pool, clientId);
    if (!found) return undefined;
    const { metadata, secretDigest } = found;
    // It may have registered when more addresses were allowed.
    if (StoredRedirects.parse(metadata).redirect_uris.some((redirect) => redirectFault(redirect))) return undefined;
    return providerPayload.parse({ ...metadata, ...(secretDigest !== undefined && { client_secret: secretDigest }) });
  },
});
