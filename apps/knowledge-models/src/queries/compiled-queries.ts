/**
 * Compiled questions that came before, by the model as their caller sees it. A view of a model never changes, so what was
 * compiled of it stays right; when the view goes, so does the way to it.
 * Refuses: to remember refusals, pages behind a row, each of which is asked for once, and questions so large that they
 * would drive many others out.
 */
import { Injectable } from '@nestjs/common';
import type { Result } from '@tessera/failures';
import { compileQuery, type CallerView, type CompiledQuery, type DataQuery } from '@tessera/knowledge-model';
import { LRUCache } from 'lru-cache';

const queriesMax = 1_000;
/** Characters of questions and statements. */
const sizeMax = 16 * 1024 * 1024;
const largestSize = sizeMax / 64;

@Injectable()
export class CompiledQueries {
  readonly #compiled = new LRUCache<string, Result<CompiledQuery>>({
    max: queriesMax,
    maxSize: sizeMax,
    maxEntrySize: largestSize,
    sizeCalculation: (compiled, question) => question.length + (compiled.ok ? sizeOf(compiled.value) : 0),
  });
  readonly #numbers = new WeakMap<CallerView, number>();
  #lastNumber = 0;

  /** `schema`: as PostgreSQL knows it. */
  of(view: CallerView, query: DataQuery, schema: string): Result<CompiledQuery> {
    const key = JSON.stringify([this.#numberOf(view), schema, query]);
    const known = this.#compiled.get(key);
    if (known) return known;
    const compiled = compileQuery(view, query, { schema });
    if (compiled.ok && !query.keyset?.after) this.#compiled.set(key, compiled);
    return compiled;
  }

  #numberOf(view: CallerView): number {
    const number = this.#numbers.get(view) ?? ++this.#lastNumber;
    this.#numbers.set(view, number);
    return number;
  }
}

/** A value that is a list counts as its texts do; what a column says of itself is bounded by the model. */
const sizeOf = ({ rows, count, columns }: CompiledQuery): number =>
  rows.text.length + count.text.length + 100 * columns.length + valuesSize(rows) + valuesSize(count);

const valuesSize = ({ values }: CompiledQuery['rows']): number =>
  values.reduce<number>((size, value) => size + 16 + String(value).length, 0);
