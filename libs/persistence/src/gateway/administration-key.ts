/**
 * The operators' key with every scope. All other keys are requested with it, so whoever sets up the platform supplies it.
 * Never takes over a key of another team and never revives a revoked one.
 */
import { operatorsTeam, scopes } from '@tessera/contracts';
import type { DataSource } from 'typeorm';
import { runInTenantEntityTransaction } from '../data-source.js';
import type { MintedKey } from './api-key.js';
import { findApiKeys, insertMintedApiKey, type NewApiKey } from './api-keys.repository.js';
import { ApiKey } from './entities/api-key.entity.js';

export const administrationKey = {
  team: operatorsTeam,
  name: 'administration',
  scopes,
  hourlyLimit: 2_000_000_000,
} as const satisfies NewApiKey;

export type AdministrationKeyOutcome = 'made' | 'kept' | 'foreign' | 'revoked';

/** Creates the key if it does not exist. An existing key of the operators gets the scopes that it lacks. */
export const ensureAdministrationKey = (
  source: DataSource,
  { keyId, digest }: Pick<MintedKey, 'keyId' | 'digest'>,
): Promise<AdministrationKeyOutcome> =>
  runInTenantEntityTransaction(source, operatorsTeam, async (manager, client) => {
    // The row of the team stays locked: of two concurrent calls with the same key, the second finds the key.
    await client.query(
      `insert into gateway.team as t (tenant, name) values ($1, 'Operators') on conflict (tenant) do update set name = t.name`,
      [operatorsTeam],
    );
    const [stored] = await findApiKeys(client, [keyId]);
    if (stored === undefined) {
      await insertMintedApiKey(manager, { keyId, digest }, administrationKey);
      return 'made';
    }
    if (stored.team !== operatorsTeam || !digest.equals(stored.digest)) return 'foreign';
    if (stored.revokedAt !== undefined) return 'revoked';
    await manager.update(ApiKey, { tenant: operatorsTeam, keyId }, { scopes: [...administrationKey.scopes] });
    return 'kept';
  });
