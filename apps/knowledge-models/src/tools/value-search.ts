/**
 * Values of string fields that terms may mean, among the rows that the caller sees. What was read is kept as every other
 * result is, until the data change. It ends when its time is over or after so many queries, and answers what it has found.
 */
import { Injectable } from '@nestjs/common';
import type { Result } from '@tessera/failures';
import { type DataQuery, indexValues, type ScoredHit, searchValues, type ValueIndex } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import pMap from 'p-map';
import type { OpenedModel } from '../queries/query-preparer.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { QueryRunner } from '../queries/query-runner.js';
import {
  type SearchableField,
  findSearchableFields,
  createKeySearchQuery,
  createTextSearchQuery,
  maxSearchableValues,
  createDistinctValuesQuery,
} from './searchable-values.js';

/** Of the connections that all queries share. */
const queriesAtOnce = 3;
/** Beside those whose results are kept. */
const queriesMax = 120;
const termLengthMin = 3;

type Search = {
  readonly model: OpenedModel;
  readonly signal: AbortSignal;
  readonly hits: Map<string, ScoredHit[]>;
  queriesLeft: number;
  /** Whether nothing was left out for want of time. */
  complete: boolean;
};

export type FoundValues = {
  readonly hits: ReadonlyMap<string, readonly ScoredHit[]>;
  readonly complete: boolean;
};

type RowSearch = {
  readonly record: string;
  readonly fields: readonly SearchableField[];
  readonly term: string;
  readonly queryOf: (record: string, fields: readonly string[], term: string) => DataQuery;
};

/** Numbers of orders and the like have some; to look for other words among them would cost much and find nothing. */
const digitPattern = /\p{N}/u;

@Injectable()
export class ValueSearch {
  readonly #indexes = new WeakMap<readonly TextRow[], ValueIndex>();

  constructor(private readonly runner: QueryRunner) {}

  /** By term; what was found when `signal` aborts. */
  async find(model: OpenedModel, terms: readonly string[], signal: AbortSignal): Promise<FoundValues> {
    const asked = [...new Set(terms)].filter((term) => /[\p{L}\p{N}]/u.test(term));
    const hits = new Map(asked.map((term): [string, ScoredHit[]] => [term, []]));
    const search: Search = { model, signal, hits, queriesLeft: queriesMax, complete: true };
    if (asked.length === 0) return { hits, complete: true };
    const fields = findSearchableFields(model.view, model.catalog);
    const many: SearchableField[] = fields.filter(({ hasMany }) => hasMany);
    await pMap(
      fields.filter(({ hasMany }) => !hasMany),
      async (field) => {
        if (!(await this.#searchAll(search, field))) many.push(field);
      },
      { concurrency: queriesAtOnce },
    );
    const keys = many.filter(({ isKey }) => isKey);
    const texts = many.filter(({ isKey }) => !isKey);
    const withDigits = asked.filter((term) => digitPattern.test(term));
    const questions = [
      ...rowSearches(keys, withDigits, createKeySearchQuery),
      ...rowSearches(texts, asked, createTextSearchQuery),
    ];
    await pMap(questions, (question) => this.#searchRows(search, question), { concurrency: queriesAtOnce });
    return { hits, complete: search.complete };
  }

  /** Whether all values could be looked at. */
  async #searchAll(search: Search, field: SearchableField): Promise<boolean> {
    const rows = await this.#read(search, createDistinctValuesQuery(field));
    if (!rows) return true;
    if (rows.length > maxSearchableValues) return false;
    const index = this.#indexes.get(rows) ?? indexValues(rows.flatMap(([value]) => value ?? []));
    this.#indexes.set(rows, index);
    addHits(search, index, field, search.hits.keys());
    return true;
  }

  async #searchRows(search: Search, { record, fields, term, queryOf }: RowSearch): Promise<void> {
    const written = term.trim();
    if (written.length < termLengthMin) return;
    const ids = fields.map(({ id }) => id);
    const rows = (await this.#read(search, queryOf(record, ids, written))) ?? [];
    fields.forEach((field, place) => {
      const values = new Set(rows.flatMap((row) => row[place] ?? []));
      if (values.size > 0) addHits(search, indexValues([...values]), field, [term]);
    });
  }

  /** Undefined when it cannot be read, or not in time: a search tells what it found. */
  async #read(search: Search, query: DataQuery): Promise<readonly TextRow[] | undefined> {
    const { model, signal } = search;
    const prepared = model.prepare(({ compile }) => compile(query));
    if (!prepared.ok) return undefined;
    const { compiled, prepareStatement } = prepared.value;
    const statement = prepareStatement(compiled.rows);
    const known = this.runner.cachedTexts(statement);
    if (known) return known;
    if (signal.aborted || search.queriesLeft-- <= 0) {
      search.complete = false;
      return undefined;
    }
    const read = await mapQueryErrors<readonly TextRow[]>(async () => ({
      ok: true,
      value: await this.runner.texts(statement, signal),
    }));
    if (signal.aborted) search.complete = false;
    return valueOf(read);
  }
}

/** Every term in one record before any in the next, so that none waits for all of another. */
const rowSearches = (
  fields: readonly SearchableField[],
  terms: readonly string[],
  queryOf: RowSearch['queryOf'],
): readonly RowSearch[] =>
  [...Map.groupBy(fields, ({ record }) => record)].flatMap(([record, ofRecord]) =>
    terms.map((term) => ({ record, fields: ofRecord, term, queryOf })),
  );

const valueOf = <Value>(result: Result<Value>): Value | undefined => (result.ok ? result.value : undefined);

const addHits = ({ hits }: Search, index: ValueIndex, field: SearchableField, terms: Iterable<string>): void => {
  for (const term of terms) hits.get(term)?.push(...searchValues(index, field, term));
};
