/**
 * Teams and their API keys. Everything runs as the key's team, but for the two things that happen before a team is
 * known: finding a key by its id and writing down the last use of many keys.
 * Refuses: secrets. It stores and answers digests; only the making of a key answers it, once.
 */
import type pg from 'pg';
import { inTenantTransaction } from '../tenant-transaction.js';
import { mintApiKey, type MintedKey } from './api-key.js';

/** What policies on data may read of the bearer. */
export type KeyAttributes = Readonly<Record<string, string | readonly string[]>>;

export type NewApiKey = {
  readonly team: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly furtherScopes?: readonly string[] | undefined;
  readonly attributes?: KeyAttributes | undefined;
  readonly hourlyLimit: number;
  readonly expiresAt?: Date;
};

export type CreatedApiKey = { readonly keyId: string; readonly key: string };

export type ListedApiKey = {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly furtherScopes: readonly string[];
  readonly attributes: KeyAttributes;
  readonly hourlyLimit: number;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
};

export type StoredApiKey = ListedApiKey & { readonly team: string; readonly digest: Uint8Array };

type KeyRow = {
  readonly tenant: string;
  readonly key_id: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly scopes: string[];
  readonly further_scopes: string[];
  readonly attributes: KeyAttributes;
  readonly hourly_limit: number;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
};

/** Makes the team or renames it. */
export const createTeam = (pool: pg.Pool, team: string, name: string): Promise<void> =>
  inTenantTransaction(pool, team, async (client) => {
    await client.query(
      'insert into gateway.team (tenant, name) values ($1, $2) on conflict (tenant) do update set name = excluded.name',
      [team, name],
    );
  });

/** What people call the team; undefined when there is none. */
export const teamName = (pool: pg.Pool, team: string): Promise<string | undefined> =>
  inTenantTransaction(pool, team, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from gateway.team where tenant = $1', [team]);
    return rows[0]?.name;
  });

export const teamExists = (pool: pg.Pool, team: string): Promise<boolean> =>
  inTenantTransaction(pool, team, async (client) => {
    const { rowCount } = await client.query('select from gateway.team where tenant = $1', [team]);
    return rowCount === 1;
  });

/** A new key of an existing team. The key in the answer cannot be had again. */
export const createApiKey = (pool: pg.Pool, wanted: NewApiKey): Promise<CreatedApiKey> =>
  inTenantTransaction(pool, wanted.team, (client) => insertApiKey(client, wanted));

/** As `createApiKey`, in a transaction of the team. */
export const insertApiKey = async (client: pg.ClientBase, wanted: NewApiKey): Promise<CreatedApiKey> => {
  const minted = mintApiKey();
  await insertGivenApiKey(client, minted, wanted);
  return { keyId: minted.keyId, key: minted.key };
};

/** As `insertApiKey`, of a key that was made elsewhere. */
export const insertGivenApiKey = async (
  client: pg.ClientBase,
  { keyId, digest }: Pick<MintedKey, 'keyId' | 'digest'>,
  { team, name, scopes, furtherScopes = [], attributes = {}, hourlyLimit, expiresAt }: NewApiKey,
): Promise<void> => {
  await client.query(
    `insert into gateway.api_key
       (tenant, key_id, name, digest, scopes, hourly_limit, expires_at, further_scopes, attributes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [team, keyId, name, digest, scopes, hourlyLimit, expiresAt ?? null, furtherScopes, JSON.stringify(attributes)],
  );
};

/** The keys of a team, the newest first. */
export const listApiKeys = (pool: pg.Pool, team: string): Promise<readonly ListedApiKey[]> =>
  inTenantTransaction(pool, team, async (client) => {
    const { rows } = await client.query<KeyRow>(
      'select * from gateway.api_key where tenant = $1 order by created_at desc, key_id',
      [team],
    );
    return rows.map(listed);
  });

/** True when the team has the key; revoking twice keeps the first instant. In a transaction of the team. */
export const revokeApiKey = async (client: pg.ClientBase, team: string, keyId: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    'update gateway.api_key set revoked_at = coalesce(revoked_at, now()) where tenant = $1 and key_id = $2',
    [team, keyId],
  );
  return rowCount === 1;
};

/** The keys with these ids, whoever owns them; an id that nobody has is left out. */
export const findApiKeys = async (
  pool: Pick<pg.Pool, 'query'>,
  keyIds: readonly string[],
): Promise<readonly StoredApiKey[]> => {
  const { rows } = await pool.query<KeyRow>({
    name: 'find_api_keys',
    text: 'select * from gateway.find_api_keys($1)',
    values: [keyIds],
  });
  return rows.map((row) => ({ ...listed(row), team: row.tenant, digest: row.digest }));
};

/** The key with this id, whoever owns it; undefined when nobody does. */
export const findApiKey = async (pool: pg.Pool, keyId: string): Promise<StoredApiKey | undefined> =>
  (await findApiKeys(pool, [keyId]))[0];

/** Writes the last use of many keys in one statement; an older instant than the stored one changes nothing. */
export const markApiKeysUsed = async (pool: pg.Pool, uses: ReadonlyMap<string, Date>): Promise<void> => {
  await pool.query({
    name: 'mark_api_keys_used',
    text: 'select gateway.mark_api_keys_used($1, $2)',
    values: [[...uses.keys()], [...uses.values()]],
  });
};

const listed = (row: KeyRow): ListedApiKey => ({
  keyId: row.key_id,
  name: row.name,
  scopes: row.scopes,
  furtherScopes: row.further_scopes,
  attributes: row.attributes,
  hourlyLimit: row.hourly_limit,
  createdAt: row.created_at,
  ...(row.expires_at && { expiresAt: row.expires_at }),
  ...(row.last_used_at && { lastUsedAt: row.last_used_at }),
  ...(row.revoked_at && { revokedAt: row.revoked_at }),
});
