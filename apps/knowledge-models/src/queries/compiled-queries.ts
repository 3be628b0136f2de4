/**
 * Compiled questions that came before, by the model as their caller sees it. A view of a model never changes, so what was
 * compiled of it stays right; when the view goes, so does the way to it.
 * Refuses: to remember refusals.
 */
import { Injectable } from '@nestjs/common';
import type { Result } from '@tessera/failures';
import { compileQuery, type CallerView, type CompiledQuery, type DataQuery } from '@tessera/knowledge-model';
import { LRUCache } from 'lru-cache';

const queriesMax = 1_000;

@Injectable()
export class CompiledQueries {
  readonly #compiled = new LRUCache<string, Result<CompiledQuery>>({ max: queriesMax });
  readonly #numbers = new WeakMap<CallerView, number>();
  #lastNumber = 0;

  /** `schema`: as PostgreSQL knows it. */
  of(view: CallerView, query: DataQuery, schema: string): Result<CompiledQuery> {
    const key = JSON.stringify([this.#numberOf(view), schema, query]);
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = compileQuery(view, query, { schema });
    if (compiled.ok) this.#compiled.set(key, compiled);
    return compiled;
  }

  #numberOf(view: CallerView): number {
    const number = this.#numbers.get(view) ?? ++this.#lastNumber;
    this.#numbers.set(view, number);
    return number;
  }
}
