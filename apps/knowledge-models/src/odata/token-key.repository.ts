/** The key that seals tokens, the same for every replica. */
import { Injectable } from '@nestjs/common';
import type { Pool } from '@tessera/persistence';
import { Pools } from '../database.module.js';

/** Rejects with the error of pg. */
export const readTokenKey = async (pool: Pool): Promise<Uint8Array> => {
  const { rows } = await pool.query<{ key: Uint8Array }>('select key from knowledge_models.token_key');
  const [row] = rows;
  if (!row) throw new Error('The database has no key for tokens; it was not migrated.');
  return row.key;
};

/** Reads the key once; a failed read is tried again. */
@Injectable()
export class TokenKeyRepository {
  #key: Promise<Uint8Array> | undefined;

  constructor(private readonly pools: Pools) {}

  /** Rejects with the error of pg. */
  read(): Promise<Uint8Array> {
    this.#key ??= readTokenKey(this.pools.light).catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }
}
