/** Reads the key that seals tokens: the same for every replica. Refuses: to be asked by anybody but the service. */
import type { Pool } from '@tessera/persistence';

/** Rejects with the error of pg. */
export const readTokenKey = async (pool: Pool): Promise<Uint8Array> => {
  const { rows } = await pool.query<{ key: Uint8Array }>('select key from knowledge_models.token_key');
  const [row] = rows;
  if (!row) throw new Error('The database has no key for tokens; it was not migrated.');
  return row.key;
};
