/**
 * The keys that sign access tokens, and those that sign exported evidence. Each has one successor at most; the last one signs. Never
 * answers a private key to anybody but the service that signs.
 */
import { generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type pg from 'pg';
import { selectColumns } from '../data-source.js';
import type { SigningKey } from './entities/signing-key.entity.js';

export type StoredSigningKey = Pick<SigningKey, 'keyId' | 'privateKey'> & {
  /** Since when another key signs; absent for the one that does. */
  readonly replacedAt?: Date;
};

type Queries = Pick<pg.Pool, 'query'>;

const generate = promisify(generateKeyPair);

type Kind = {
  readonly table: string;
  readonly generate: () => Promise<{ readonly privateKey: KeyObject }>;
  /** Of a key that nothing needs any more; undefined: for good. */
  readonly keptAfterReplacement?: string;
};

const kinds = {
  tokens: {
    table: 'gateway.signing_key',
    generate: () => generate('ec', { namedCurve: 'P-256' }),
    keptAfterReplacement: '1 day',
  },
  evidence: { table: 'gateway.evidence_key', generate: () => generate('ed25519', {}) },
} as const satisfies Readonly<Record<string, Kind>>;
type SigningKeyKind = keyof typeof kinds;

/** The one that signs first, then the others, the newest first. Empty before the first is made. */
export const listSigningKeys = async (
  pool: Queries,
  kind: SigningKeyKind = 'tokens',
): Promise<readonly StoredSigningKey[]> => {
  const { rows } = await pool.query<SigningKey>(
    `select ${selectColumns<SigningKey>('keyId', 'predecessor', 'privateKey', 'createdAt')} from ${kinds[kind].table}
     order by created_at desc`,
  );
  const successors = new Map(rows.map((row) => [row.predecessor, row]));
  const keys = rows.map(({ keyId, privateKey }): StoredSigningKey => {
    const successor = successors.get(keyId);
    return { keyId, privateKey, ...(successor && { replacedAt: successor.createdAt }) };
  });
  return [...keys.filter(({ replacedAt }) => !replacedAt), ...keys.filter(({ replacedAt }) => replacedAt)];
};

/** Makes the first key when there is none; of several that try, one does. */
export const ensureSigningKey = async (
  pool: Queries,
  kind: SigningKeyKind = 'tokens',
): Promise<readonly StoredSigningKey[]> => {
  const found = await listSigningKeys(pool, kind);
  if (found.length > 0) return found;
  await addSigningKey(pool, kind, '');
  return listSigningKeys(pool, kind);
};

/** Another key signs from now on: its id. As whoever migrates; keys that were replaced long ago are deleted. */
export const rotateSigningKey = async (pool: Queries, kind: SigningKeyKind = 'tokens'): Promise<string> => {
  const [current] = await listSigningKeys(pool, kind);
  await addSigningKey(pool, kind, current?.keyId ?? '');
  const { table, keptAfterReplacement }: Kind = kinds[kind];
  if (keptAfterReplacement !== undefined)
    await pool.query(
      `delete from ${table} old using ${table} successor
       where successor.predecessor = old.key_id and successor.created_at < now() - $1::interval`,
      [keptAfterReplacement],
    );
  const [rotated] = await listSigningKeys(pool, kind);
  if (!rotated) throw new Error('There is no signing key.');
  return rotated.keyId;
};

/** Nothing happens when another one was faster. */
const addSigningKey = async (pool: Queries, kind: SigningKeyKind, predecessor: string): Promise<void> => {
  const { privateKey } = await kinds[kind].generate();
  await pool.query(
    `insert into ${kinds[kind].table} (key_id, predecessor, private_key) values ($1, $2, $3)
     on conflict (predecessor) do nothing`,
    [randomUUID(), predecessor, privateKey.export({ type: 'pkcs8', format: 'der' })],
  );
};
