/**
 * The key of the operators with every scope. Others are asked for with it, so it cannot be asked for: who sets the platform
 * up brings it along.
 * Refuses: a key that is somebody else's, or was revoked; a key is never taken over and never revived.
 */
import { operatorsTeam, scopes } from '@tessera/contracts';
import type { DataSource } from 'typeorm';
import { inTenant } from '../data-source.js';
import type { MintedKey } from './api-key.js';
import { findApiKeys, insertGivenApiKey, type NewApiKey } from './api-keys.repository.js';
import { ApiKey } from './entities/api-key.entity.js';

export const administration = {
  team: operatorsTeam,
  name: 'administration',
  scopes,
  hourlyLimit: 2_000_000_000,
} as const satisfies NewApiKey;

export type KeptAdministrationKey = 'made' | 'kept' | 'foreign' | 'revoked';

/** Makes the key exist. A key of the operators that is there gets the scopes that it lacks. */
export const keepAdministrationKey = (
  source: DataSource,
  { keyId, digest }: Pick<MintedKey, 'keyId' | 'digest'>,
): Promise<KeptAdministrationKey> =>
  inTenant(source, operatorsTeam, async (manager, client) => {
    // The row of the team stays locked: of two that bring the same key, the second finds it.
    await client.query(
      `insert into gateway.team as t (tenant, name) values ($1, 'Operators') on conflict (tenant) do update set name = t.name`,
      [operatorsTeam],
    );
    const [stored] = await findApiKeys(client, [keyId]);
    if (stored === undefined) {
      await insertGivenApiKey(manager, { keyId, digest }, administration);
      return 'made';
    }
    if (stored.team !== operatorsTeam || !digest.equals(stored.digest)) return 'foreign';
    if (stored.revokedAt !== undefined) return 'revoked';
    await manager.update(ApiKey, { tenant: operatorsTeam, keyId }, { scopes: [...administration.scopes] });
    return 'kept';
  });
