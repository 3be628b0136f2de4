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

/** What a team may give to keys; what is absent is the standard of the platform. */
export type StoredGrants = {
  readonly scopes?: readonly string[];
  readonly furtherScopes: readonly string[];
  /** The values of a name, or every value of it. */
  readonly attributes: Readonly<Record<string, true | readonly string[]>>;
  readonly hourlyLimit?: number;
};

export type StoredTeam = { readonly team: string; readonly name: string; readonly grants: StoredGrants };

/** A key that its team made is bounded by the grants of the team, one of the operators is a grant by itself. */
export type KeyMaker = 'operators' | 'team';

export type NewApiKey = {
  readonly team: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly furtherScopes?: readonly string[] | undefined;
  readonly attributes?: KeyAttributes | undefined;
  readonly hourlyLimit: number;
  readonly expiresAt?: Date;
  /** The operators when absent. */
  readonly madeBy?: KeyMaker;
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
  readonly madeBy: KeyMaker;
};

export type StoredApiKey = ListedApiKey & {
  readonly team: string;
  readonly digest: Uint8Array;
  /** Of its team, now. */
  readonly granted: StoredGrants;
};

type GrantRow = {
  readonly granted_scopes: string[] | null;
  readonly granted_further_scopes: string[];
  readonly granted_attributes: StoredGrants['attributes'];
  readonly granted_hourly_limit: number | null;
};

type TeamRow = GrantRow & { readonly tenant: string; readonly name: string };

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
  readonly made_by: KeyMaker;
};

/** Makes the team or changes it; grants that are given replace all that were. */
export const writeTeam = (pool: pg.Pool, team: string, name: string, grants?: StoredGrants): Promise<StoredTeam> =>
  inTenantTransaction(pool, team, async (client) => {
    const { rows } = await client.query<TeamRow>(
      `insert into gateway.team as t (tenant, name, granted_scopes, granted_further_scopes, granted_attributes, granted_hourly_limit)
       values ($1, $2, $3, coalesce($4::text[], '{}'), coalesce($5::json, '{}'), $6)
       on conflict (tenant) do update set name = excluded.name,
         granted_scopes = case when $7 then excluded.granted_scopes else t.granted_scopes end,
         granted_further_scopes = case when $7 then excluded.granted_further_scopes else t.granted_further_scopes end,
         granted_attributes = case when $7 then excluded.granted_attributes else t.granted_attributes end,
         granted_hourly_limit = case when $7 then excluded.granted_hourly_limit else t.granted_hourly_limit end
       returning *`,
      [
        ...[team, name, grants?.scopes ?? null, grants?.furtherScopes ?? null],
        ...[grants ? JSON.stringify(grants.attributes) : null, grants?.hourlyLimit ?? null, grants !== undefined],
      ],
    );
    return teamOf(rows[0] ?? refuseNoRow());
  });

/** Makes the team or renames it. */
export const createTeam = async (pool: pg.Pool, team: string, name: string): Promise<void> =>
  void (await writeTeam(pool, team, name));

const refuseNoRow = (): never => {
  throw new Error('The statement answered no row.');
};

/** Undefined when there is none. */
export const findTeam = (pool: pg.Pool, team: string): Promise<StoredTeam | undefined> =>
  inTenantTransaction(pool, team, (client) => findTeamIn(client, team));

/** As `findTeam`, in a transaction of the team. */
export const findTeamIn = async (client: pg.ClientBase, team: string): Promise<StoredTeam | undefined> => {
  const { rows } = await client.query<TeamRow>('select * from gateway.team where tenant = $1', [team]);
  return rows[0] && teamOf(rows[0]);
};

/** Teams of everybody, by their ids, behind one. */
export const listTeams = async (
  pool: Pick<pg.Pool, 'query'>,
  behind: string,
  teamsMax: number,
): Promise<readonly StoredTeam[]> => {
  const { rows } = await pool.query<TeamRow>('select * from gateway.list_teams($1, $2)', [behind, teamsMax]);
  return rows.map(teamOf);
};

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
  { team, name, scopes, furtherScopes = [], attributes = {}, hourlyLimit, expiresAt, madeBy = 'operators' }: NewApiKey,
): Promise<void> => {
  await client.query(
    `insert into gateway.api_key
       (tenant, key_id, name, digest, scopes, hourly_limit, expires_at, further_scopes, attributes, made_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[team, keyId, name, digest, scopes, hourlyLimit, expiresAt ?? null, furtherScopes],
      ...[JSON.stringify(attributes), madeBy],
    ],
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
  const { rows } = await pool.query<KeyRow & GrantRow>({
    name: 'find_granted_keys',
    text: 'select * from gateway.find_granted_keys($1)',
    values: [keyIds],
  });
  return rows.map((row) => ({ ...listed(row), team: row.tenant, digest: row.digest, granted: grantsOf(row) }));
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
  madeBy: row.made_by,
});

const grantsOf = (row: GrantRow): StoredGrants => ({
  ...(row.granted_scopes && { scopes: row.granted_scopes }),
  furtherScopes: row.granted_further_scopes,
  attributes: row.granted_attributes,
  ...(row.granted_hourly_limit !== null && { hourlyLimit: row.granted_hourly_limit }),
});

const teamOf = (row: TeamRow): StoredTeam => ({ team: row.tenant, name: row.name, grants: grantsOf(row) });
