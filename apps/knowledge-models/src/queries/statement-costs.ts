/**
 * What PostgreSQL estimates that statements cost, asked once a minute for a text and the versions of its data: with other values a text
 * reads about as much.
 */
import { Injectable } from '@nestjs/common';
import type { CompiledStatement } from '@tessera/knowledge-model';
import { LRUCache } from 'lru-cache';
import { CancellableSingleFlight } from '../cache/cancellable-single-flight.js';
import { cachedDigestOf } from '../cache/result-cache.js';
import { type QueryCost, readQueryCost } from './query-cost.repository.js';
import type { EstimatedStatement } from './query-preparer.js';

const costsKept = { max: 2_000, ttl: 60_000 };

@Injectable()
export class StatementCosts {
  readonly #known = new LRUCache<string, QueryCost>(costsKept);
  readonly #asked = new CancellableSingleFlight<QueryCost>();

  /** Undefined when nobody asked for it lately. */
  known(estimated: EstimatedStatement): QueryCost | undefined {
    return this.#known.get(keyOf(estimated));
  }

  /** Rejects with `RequestAbandonedError` or the error of pg. */
  async of(estimated: EstimatedStatement, signal: AbortSignal): Promise<QueryCost> {
    const key = keyOf(estimated);
    return this.#known.get(key) ?? this.#asked.join(key, signal, (shared) => this.#read(key, estimated, shared));
  }

  /** Of these very values. Rejects with the error of pg. */
  read(estimated: EstimatedStatement, signal: AbortSignal): Promise<QueryCost> {
    return this.#read(keyOf(estimated), estimated, signal);
  }

  async #read(key: string, { source, statement, settings }: EstimatedStatement, signal: AbortSignal) {
    const cost = await readQueryCost(source, statement, settings, signal);
    this.#known.set(key, cost);
    return cost;
  }
}

const keyOf = ({ source, statement, dataVersions }: EstimatedStatement): string =>
  JSON.stringify([source.team, source.schema, textDigestOf(statement), dataVersions]);

/** The same for statements that differ in values alone. */
export const textDigestOf = (statement: CompiledStatement): string =>
  cachedDigestOf(statement.origins ?? statement, () => statement.text);
