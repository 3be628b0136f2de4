/**
 * Teams and their API keys. Everything runs as the team of the key, except finding keys by id and recording their last use,
 * which happen before the team is known. Never stores a secret: only digests; a key is returned once, when it is created.
 */
import type pg from 'pg';
import { IsNull, MoreThan, type DataSource, type EntityManager } from 'typeorm';
import { selectColumns, runInTenantEntityTransaction } from '../data-source.js';
import { mintApiKey, type MintedKey } from './api-key.js';
import { ApiKey, type KeyAttributes, type KeyCreator } from './entities/api-key.entity.js';
import { Team } from './entities/team.entity.js';
import { storedGrantsOf } from './member-rights.js';

export type { KeyAttributes, KeyCreator };

/** What a team may grant to keys; absent members have the default of the platform. */
export type StoredGrants = {
  readonly scopes?: readonly string[];
  readonly furtherScopes: readonly string[];
  readonly attributes: Team['grantedAttributes'];
  readonly hourlyLimit?: number;
};

export type StoredTeam = { readonly team: string; readonly name: string; readonly grants: StoredGrants };

export type NewApiKey = {
  readonly team: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly furtherScopes?: readonly string[] | undefined;
  readonly attributes?: KeyAttributes | undefined;
  readonly hourlyLimit: number;
  readonly expiresAt?: Date;
  /** Default: the operators. */
  readonly madeBy?: KeyCreator;
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
  readonly madeBy: KeyCreator;
};

export type StoredApiKey = ListedApiKey & {
  readonly team: string;
  readonly digest: Uint8Array;
  /** The current grants of its team. */
  readonly granted: StoredGrants;
};

type Grants = Pick<Team, 'grantedScopes' | 'grantedFurtherScopes' | 'grantedAttributes' | 'grantedHourlyLimit'>;
type TeamRow = Grants & Pick<Team, 'tenant' | 'name'>;
type KeyRow = Omit<ApiKey, 'team'>;

const grantColumns = selectColumns<Grants>(
  'grantedScopes',
  'grantedFurtherScopes',
  'grantedAttributes',
  'grantedHourlyLimit',
);
const teamColumns = `tenant, name, ${grantColumns}`;
const keyColumns = selectColumns<KeyRow>(
  ...(['tenant', 'keyId', 'name', 'digest', 'scopes', 'furtherScopes', 'attributes', 'hourlyLimit'] as const),
  ...(['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt', 'madeBy'] as const),
);

/** Creates or updates the team; `grants` replace all earlier ones. */
export const writeTeam = (source: DataSource, team: string, name: string, grants?: StoredGrants): Promise<StoredTeam> =>
  runInTenantEntityTransaction(source, team, async (manager) => {
    await manager.upsert(Team, { tenant: team, name, ...(grants && grantColumnsOf(grants)) }, ['tenant']);
    return teamOf(await manager.findOneByOrFail(Team, { tenant: team }));
  });

/** Creates or renames the team. */
export const createTeam = async (source: DataSource, team: string, name: string): Promise<void> =>
  void (await writeTeam(source, team, name));

/** Undefined when there is none. */
export const findTeam = (source: DataSource, team: string): Promise<StoredTeam | undefined> =>
  runInTenantEntityTransaction(source, team, (manager) => findTeamInTransaction(manager, team));

/** As `findTeam`, in a transaction of the team. */
export const findTeamInTransaction = async (manager: EntityManager, team: string): Promise<StoredTeam | undefined> => {
  const found = await manager.findOneBy(Team, { tenant: team });
  return found ? teamOf(found) : undefined;
};

/** All teams in the order of their ids, starting after `behind`. */
export const listTeams = async (
  pool: Pick<pg.Pool, 'query'>,
  behind: string,
  teamsMax: number,
): Promise<readonly StoredTeam[]> => {
  const { rows } = await pool.query<TeamRow>(`select ${teamColumns} from gateway.list_teams($1, $2)`, [
    behind,
    teamsMax,
  ]);
  return rows.map(teamOf);
};

export const teamExists = (source: DataSource, team: string): Promise<boolean> =>
  runInTenantEntityTransaction(source, team, (manager) => manager.existsBy(Team, { tenant: team }));

/** Creates a key of an existing team. The key is returned only here. */
export const createApiKey = (source: DataSource, wanted: NewApiKey): Promise<CreatedApiKey> =>
  runInTenantEntityTransaction(source, wanted.team, (manager) => insertApiKey(manager, wanted));

/** As `createApiKey`, in a transaction of the team. */
export const insertApiKey = async (manager: EntityManager, wanted: NewApiKey): Promise<CreatedApiKey> => {
  const minted = mintApiKey();
  await insertMintedApiKey(manager, minted, wanted);
  return { keyId: minted.keyId, key: minted.key };
};

/** As `insertApiKey`, for a key that was generated elsewhere. */
export const insertMintedApiKey = async (
  manager: EntityManager,
  { keyId, digest }: Pick<MintedKey, 'keyId' | 'digest'>,
  { team, name, scopes, furtherScopes = [], attributes = {}, hourlyLimit, expiresAt, madeBy = 'operators' }: NewApiKey,
): Promise<void> => {
  await manager.insert(ApiKey, {
    ...{ tenant: team, keyId, name, digest, hourlyLimit, attributes, madeBy },
    scopes: [...scopes],
    furtherScopes: [...furtherScopes],
    expiresAt: expiresAt ?? null,
  });
};

/** The keys of a team, the newest first, those behind the key `after`. */
export const listApiKeys = (
  source: DataSource,
  team: string,
  after: string | undefined,
  keysMax: number,
): Promise<readonly ListedApiKey[]> =>
  runInTenantEntityTransaction(source, team, async (manager) => {
    const keys = manager
      .createQueryBuilder(ApiKey, 'key')
      .where('key.tenant = :team', { team })
      .orderBy({ 'key.createdAt': 'DESC', 'key.keyId': 'DESC' })
      .limit(keysMax);
    if (after !== undefined)
      keys.andWhere(
        `(key.createdAt, key.keyId) <
           (select created_at, key_id from gateway.api_key where tenant = :team and key_id = :after)`,
        { after },
      );
    return (await keys.getMany()).map(listedKeyOf);
  });

/** Keys of the team that work, now or as soon as they are used. */
export const countLiveApiKeys = (manager: EntityManager, team: string): Promise<number> => {
  const live = { tenant: team, revokedAt: IsNull() };
  return manager.countBy(ApiKey, [
    { ...live, expiresAt: IsNull() },
    { ...live, expiresAt: MoreThan(new Date()) },
  ]);
};

/** Whether the team has the key, and whether it was revoked before: that keeps its instant. In a transaction of the team. */
export const revokeApiKey = async (
  manager: EntityManager,
  team: string,
  keyId: string,
): Promise<'now' | 'before' | 'unknown'> => {
  const revokedAt = () => 'now()';
  const { affected } = await manager.update(ApiKey, { tenant: team, keyId, revokedAt: IsNull() }, { revokedAt });
  if (affected === 1) return 'now';
  return (await manager.existsBy(ApiKey, { tenant: team, keyId })) ? 'before' : 'unknown';
};

/** The keys with these ids, whoever owns them; unknown ids are left out. */
export const findApiKeys = async (
  pool: Pick<pg.Pool, 'query'>,
  keyIds: readonly string[],
): Promise<readonly StoredApiKey[]> => {
  const { rows } = await pool.query<KeyRow & Grants>({
    name: 'find_granted_keys',
    text: `select ${keyColumns}, ${grantColumns} from gateway.find_granted_keys($1)`,
    values: [keyIds],
  });
  return rows.map((row) => ({
    ...listedKeyOf(row),
    team: row.tenant,
    digest: row.digest,
    granted: storedGrantsOf(row),
  }));
};

/** The key with this id, whoever owns it. */
export const findApiKey = async (pool: pg.Pool, keyId: string): Promise<StoredApiKey | undefined> =>
  (await findApiKeys(pool, [keyId]))[0];

/**
 * Records the last use of many keys in one statement; an instant older than the stored one changes nothing. In the order of the ids:
 * replicas that know the same keys would else wait for each other's rows.
 */
export const markApiKeysUsed = async (pool: pg.Pool, uses: ReadonlyMap<string, Date>): Promise<void> => {
  const inOrder = [...uses].sort(([one], [other]) => (one < other ? -1 : 1));
  await pool.query({
    name: 'mark_api_keys_used',
    text: 'select gateway.mark_api_keys_used($1, $2)',
    values: [inOrder.map(([keyId]) => keyId), inOrder.map(([, usedAt]) => usedAt)],
  });
};

const listedKeyOf = ({
  expiresAt,
  lastUsedAt,
  revokedAt,
  ...key
}: Omit<KeyRow, 'tenant' | 'digest'>): ListedApiKey => ({
  keyId: key.keyId,
  name: key.name,
  scopes: key.scopes,
  furtherScopes: key.furtherScopes,
  attributes: key.attributes,
  hourlyLimit: key.hourlyLimit,
  createdAt: key.createdAt,
  ...(expiresAt && { expiresAt }),
  ...(lastUsedAt && { lastUsedAt }),
  ...(revokedAt && { revokedAt }),
  madeBy: key.madeBy,
});

const grantColumnsOf = ({ scopes, furtherScopes, attributes, hourlyLimit }: StoredGrants): Grants => ({
  grantedScopes: scopes ? [...scopes] : null,
  grantedFurtherScopes: [...furtherScopes],
  grantedAttributes: attributes,
  grantedHourlyLimit: hourlyLimit ?? null,
});

const teamOf = (row: TeamRow): StoredTeam => ({ team: row.tenant, name: row.name, grants: storedGrantsOf(row) });
