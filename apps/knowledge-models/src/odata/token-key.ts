/** The key that seals tokens, read once. Refuses: to remember that it could not be read. */
import { Injectable } from '@nestjs/common';
import { Pools } from '../database/pools.js';
import { readTokenKey } from './token-key.repository.js';

@Injectable()
export class TokenKey {
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
