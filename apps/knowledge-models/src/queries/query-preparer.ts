/**
 * Prepares queries: the model as the caller sees it, where its tables are, the compiled statements, and all that their results
 * depend on. A query with faults is rejected before its tables are looked for.
 */
import { Injectable } from '@nestjs/common';
import type { Caller } from '@tessera/contracts';
import { fail, succeed, type Result } from '@tessera/failures';
import {
  CompiledQueryShape,
  compileQuery,
  queryShapeOf,
  type CallerView,
  type ColumnarTableKey,
  type CompiledQuery,
  type CompiledStatement,
  type DataQuery,
  type DatabaseReading,
} from '@tessera/knowledge-model';
import type { Pool } from '@tessera/persistence';
import { LRUCache } from 'lru-cache';
import { CallerModels, type CallerModel } from '../catalog/caller-models.js';
import { Pools } from '../database.module.js';
import { readDatabaseReading } from '../database/columns.repository.js';
import { DatabaseReadings } from '../database/database-readings.js';
import { ExternalDatabases } from '../database/external-databases.js';
import { mapQueryErrors } from './query-failure.js';

export type PreparedStatement = {
  readonly source: QuerySource;
  readonly statement: CompiledStatement;
  readonly settings: Readonly<Record<string, string>>;
  readonly dataVersions: string;
  /** What the caller sees of the model. */
  readonly viewKey: string;
  /** Of a statement that computes KPIs for groups of rows. */
  readonly grouped?: GroupedStatement;
};

/** A statement of which it is asked what it would cost, and who would compute it. */
export type EstimatedStatement = Omit<PreparedStatement, 'viewKey'>;

/** What the statement was compiled of. */
export type GroupedStatement = {
  readonly view: CallerView;
  readonly query: DataQuery;
  readonly statement: 'rows' | 'count';
  /** That the query reads, by the names that the model gives them. */
  readonly tables: readonly string[];
};

export type PreparedQuery<Compiled> = {
  readonly compiled: Compiled;
  /** One of its statements, ready to be run. */
  readonly prepareStatement: (statement: CompiledStatement) => PreparedStatement;
  /** The model as the caller sees it, with the versions of its data. */
  readonly model: CallerModel;
};

/** What a compiler of queries is given. */
export type QueryCompiler = {
  readonly view: CallerView;
  /** As PostgreSQL knows it. */
  readonly schema: string;
  /** Compiled once for the same view, schema and query. */
  readonly compile: (query: DataQuery) => Result<CompiledQuery>;
};

type Compiles = Pick<CompiledQuery, 'tables' | 'settings'>;
type Compile<Compiled extends Compiles> = (compiler: QueryCompiler) => Result<Compiled>;

/** A model for several queries of one request, all of them of the same moment. */
export type OpenedModel = Pick<CallerModel, 'catalog' | 'view'> & {
  readonly prepare: <Compiled extends Compiles>(compile: Compile<Compiled>) => Result<PreparedQuery<Compiled>>;
};

@Injectable()
export class QueryPreparer {
  readonly #queries = new CompiledQueries();
  readonly #readings = new DatabaseReadings();

  constructor(
    private readonly models: CallerModels,
    private readonly pools: Pools,
    private readonly external: ExternalDatabases,
  ) {}

  async prepare<Compiled extends Compiles>(
    caller: Caller,
    modelId: string,
    compile: Compile<Compiled>,
  ): Promise<Result<PreparedQuery<Compiled>>> {
    const found = await this.open(caller, modelId);
    return found.ok ? found.value.prepare(compile) : found;
  }

  async open(caller: Caller, modelId: string): Promise<Result<OpenedModel>> {
    const found = await this.models.find(caller, modelId);
    if (!found.ok) return found;
    const { catalog } = found.value;
    const { source, view } = await this.sourceOf(caller.team, found.value);
    return succeed({ catalog, view, prepare: (compile) => this.#prepare({ ...found.value, view }, source, compile) });
  }

  /** Where the tables of the model are, and the view that knows how their columns are read. */
  async sourceOf(team: string, { catalog, view }: Pick<CallerModel, 'catalog' | 'view'>): Promise<ReadModel> {
    const source = await mapQueryErrors(() => this.#sourceOf(team, { catalog, view }));
    return { source, view: source.ok && source.value.reading ? viewWithReading(view, source.value.reading) : view };
  }

  async #sourceOf(
    team: string,
    { catalog, view }: Pick<CallerModel, 'catalog' | 'view'>,
  ): Promise<Result<QuerySource>> {
    const { schema: name, database } = view.model.source;
    const tables = [...new Set(view.model.records.map(({ table }) => table))].sort();
    if (database === undefined) {
      const schema = catalog.schemas.get(name);
      if (!schema) return notLoadedFailure;
      const versionsOf: QuerySource['versionsOf'] = (read) => loadedVersions(catalog.tables, name, read);
      const generationOf: QuerySource['generationOf'] = (table) => {
        const dataVersion = catalog.tables.get(`${name}.${table}`)?.dataVersion ?? unloadedVersion;
        return dataVersion === unloadedVersion ? undefined : { team, schema: name, table, dataVersion };
      };
      const { physical, role } = schema;
      const key = JSON.stringify([team, physical, tables]);
      // Loads make no columns that have to be read in another way; hands do.
      const reading = await this.#readings.of(key, catalog.revision, async () => ({
        ...(await readDatabaseReading(this.pools.light, physical, tables)),
        hasTrigrams: true,
      }));
      const forgetReading = (): void => this.#readings.forget(key);
      const { queries: pool } = this.pools;
      return succeed({ team, pool, schema: physical, role, versionsOf, generationOf, reading, forgetReading });
    }
    const source = this.external.find(database, team);
    if (!source) return notConfiguredFailure(database);
    const versionsOf = (): Result<string> => succeed(`${database} ${source.freshness}`);
    const reading = await source.readingOf(name, tables);
    const { pool } = source;
    const forgetReading = (): void => source.forgetReading(name, tables);
    return succeed({ team, pool, schema: name, versionsOf, generationOf: () => undefined, reading, forgetReading });
  }

  #prepare<Compiled extends Compiles>(
    model: CallerModel,
    source: Result<QuerySource>,
    compile: Compile<Compiled>,
  ): Result<PreparedQuery<Compiled>> {
    const { view, viewKey } = model;
    const schema = source.ok ? source.value.schema : view.model.source.schema;
    const groupedStatements = new Map<CompiledStatement, GroupedStatement>();
    const compileNoting = (query: DataQuery): Result<CompiledQuery> => {
      const one = this.#queries.compile(view, query, schema);
      if (one.ok)
        for (const [statement, grouped] of groupedStatementsOf(view, query, one.value))
          groupedStatements.set(statement, grouped);
      return one;
    };
    const compiled = compile({ view, schema, compile: compileNoting });
    if (!compiled.ok) return compiled;
    if (!source.ok) return source;
    const { tables, settings } = compiled.value;
    const versions = source.value.versionsOf(tables);
    if (!versions.ok) return versions;
    const dataVersions = versions.value;
    return succeed({
      compiled: compiled.value,
      model,
      prepareStatement: (statement) => {
        const grouped = groupedStatements.get(statement);
        return { source: source.value, statement, settings, dataVersions, viewKey, ...(grouped && { grouped }) };
      },
    });
  }
}

type ReadModel = { readonly source: Result<QuerySource>; readonly view: CallerView };

const viewsByReading = new WeakMap<CallerView, WeakMap<DatabaseReading, CallerView>>();

/** One for each view and reading, since what is compiled is found by it. */
const viewWithReading = (view: CallerView, reading: DatabaseReading): CallerView => {
  if (reading.hasTrigrams && [...reading.columns.values()].every(({ size }) => size === 0)) return view;
  const known = viewsByReading.get(view) ?? new WeakMap<DatabaseReading, CallerView>();
  viewsByReading.set(view, known);
  const made = known.get(reading) ?? { ...view, reading };
  known.set(reading, made);
  return made;
};

/** Those of the query that compute KPIs for groups. */
export const groupedStatementsOf = (
  view: CallerView,
  query: DataQuery,
  { columns, rows, count, tables }: CompiledQuery,
): ReadonlyMap<CompiledStatement, GroupedStatement> =>
  new Map(
    columns.some(({ aggregation }) => aggregation)
      ? [
          [rows, { view, query, statement: 'rows', tables }],
          [count, { view, query, statement: 'count', tables }],
        ]
      : [],
  );

/** The schema of a team, read as the role of the team, or an external database that the team may read. */
export type QuerySource = {
  readonly team: string;
  readonly pool: Pool;
  /** As PostgreSQL knows it. */
  readonly schema: string;
  /** Absent in an external database. */
  readonly role?: string;
  /** Changes with the data of these tables. */
  readonly versionsOf: (tables: readonly string[]) => Result<string>;
  /** The generation of a table that is read; undefined in an external database, and before the first load. */
  readonly generationOf: (table: string) => ColumnarTableKey | undefined;
  /** How columns are read, and what is done when a statement did not fit them. */
  readonly reading?: DatabaseReading;
  readonly forgetReading?: () => void;
};

const loadedVersions = (
  loaded: CallerModel['catalog']['tables'],
  schema: string,
  tables: readonly string[],
): Result<string> => {
  const versions: string[] = [];
  for (const table of tables) {
    const version = loaded.get(`${schema}.${table}`)?.dataVersion ?? unloadedVersion;
    if (version === unloadedVersion) return notLoadedFailure;
    versions.push(`${table} ${version}`);
  }
  return succeed(versions.join(' '));
};

const unloadedVersion = '0';

const retryAfterSeconds = 30;
const notLoadedFailure = fail('SERVICE_UNAVAILABLE', 'The tables of this knowledge model have not been loaded yet.', {
  retryAfterSeconds,
});
const notConfiguredFailure = (database: string) =>
  fail('SERVICE_UNAVAILABLE', `The database ${database} of this knowledge model is not configured for the team.`, {
    retryAfterSeconds,
  });

/** Of what is kept of compiled queries. */
const queriesMax = 1_000;
/** Characters of queries and statements. */
const sizeMax = 16 * 1024 * 1024;
const entrySizeMax = sizeMax / 64;

/**
 * Shapes of queries compiled before, by the view of their model, which never changes; when the view goes, nothing finds them any
 * more. Does not keep failures, pages behind a row, each of which is read once, and queries so large that they would drive many
 * others out.
 */
export class CompiledQueries {
  readonly #shapes = new LRUCache<string, CompiledQueryShape>({
    max: queriesMax,
    maxSize: sizeMax,
    maxEntrySize: entrySizeMax,
    sizeCalculation: ({ compiled }, key) => key.length + sizeOf(compiled),
  });
  readonly #numbers = new WeakMap<CallerView, number>();
  #lastNumber = 0;

  /** `schema`: as PostgreSQL knows it. */
  compile(view: CallerView, query: DataQuery, schema: string): Result<CompiledQuery> {
    const isForOneLink = query.linkedFrom?.kind === 'page';
    const shape = query.keyset?.after || isForOneLink ? undefined : queryShapeOf(query);
    // Faults are told in the words of the query itself.
    if (!shape) return compileQuery(view, query, { schema });
    const key = `${this.#numberOf(view)} ${schema} ${shape.key}`;
    const known = this.#shapes.get(key);
    const again = known?.withLiterals(shape.literals);
    if (again) return succeed(again);
    const compiled = compileQuery(view, shape.query, { schema });
    if (!compiled.ok) return compileQuery(view, query, { schema });
    const made = new CompiledQueryShape(compiled.value, shape.literals);
    if (!known && made.isWhole) this.#shapes.set(key, made);
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
