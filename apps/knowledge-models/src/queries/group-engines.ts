/**
 * Takes the groups of a statement from rollups, or lets an engine of columns compute them, and makes the statement over these that
 * PostgreSQL then answers: to the byte what it would answer by itself. PostgreSQL computes the groups where little is read, where exact
 * answers are not certain, and when the engine does not answer.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import {
  compileColumnarQuery,
  compileRollupQuery,
  type ColumnarObstacle,
  type ColumnarQuestion,
  type ColumnarReader,
  ColumnarRefusal,
  type ColumnarRefusalReason,
  type ColumnarTable,
  type ColumnarTables,
  type CompiledStatement,
  type RollupCompilation,
  type UnfitRollup,
} from '@tessera/knowledge-model';
import { RequestAbandonedError } from '@tessera/persistence';
import type { Rollups } from '../rollups/rollups.js';
import type { QueryCost } from './query-cost.repository.js';
import type { EstimatedStatement } from './query-preparer.js';
import type { StatementCosts } from './statement-costs.js';

/** Why PostgreSQL computes the groups. */
type PostgresReason = ColumnarObstacle | 'off' | 'few-rows' | ColumnarRefusalReason;

/** Who computes the groups; `unfit`: the rollups of the model that do not hold them. */
export type EngineChoice =
  | {
      readonly engine: 'rollup';
      readonly reason: 'fits';
      readonly rollups: readonly string[];
      readonly statement: CompiledStatement;
    }
  | (ColumnarChoice & { readonly unfit: readonly UnfitRollup[] });

type ColumnarChoice =
  | { readonly engine: 'postgresql'; readonly reason: PostgresReason }
  | { readonly engine: string; readonly reason: 'many-rows'; readonly question: ColumnarQuestion };

type GroupEnginesOptions = {
  /** Whether the engine is asked at all. */
  readonly isOn: boolean;
  /** From how many rows on that PostgreSQL would read, by its own estimate, the engine is asked. */
  readonly rowsMin: number;
  /** Whether PostgreSQL answers when the engine fails. */
  readonly hasFallback: boolean;
  /** Told who computed the groups of each statement, and why. */
  readonly onComputed: (engine: string, reason: string) => void;
  /** Nobody makes any when absent. */
  readonly rollups?: Pick<Rollups, 'find' | 'ensure'>;
};

/** The engine failed and nobody else may answer. */
export class ColumnarFallbackError extends Error {
  constructor(reason: ColumnarRefusalReason) {
    super(`The engine of columns did not answer (${reason}).`);
    this.name = 'ColumnarFallbackError';
  }
}

const groupsAtOnce = 1_000;

export class GroupEngines {
  constructor(
    private readonly reader: ColumnarReader,
    private readonly tables: ColumnarTables,
    private readonly costs: StatementCosts,
    private readonly options: GroupEnginesOptions,
  ) {}

  /**
   * The statement over the groups of rollups, or of those that the engine computed; undefined when PostgreSQL computes them. Rejects with
   * `RequestAbandonedError`, `ColumnarFallbackError` or the error of pg.
   */
  async replace(prepared: EstimatedStatement, signal: AbortSignal): Promise<CompiledStatement | undefined> {
    if (!prepared.grouped) return undefined;
    const { onComputed, hasFallback } = this.options;
    const choice = await this.choose(prepared, signal);
    if (choice.reason === 'fits') {
      onComputed(choice.engine, choice.reason);
      return choice.statement;
    }
    if (choice.reason !== 'many-rows') {
      onComputed(choice.engine, choice.reason);
      return undefined;
    }
    try {
      const statement = await this.#compute(choice.question, signal);
      onComputed(choice.engine, choice.reason);
      return statement;
    } catch (error) {
      if (signal.aborted) throw new RequestAbandonedError();
      if (!(error instanceof ColumnarRefusal)) throw error;
      if (!hasFallback && !expectedRefusals.has(error.reason)) throw new ColumnarFallbackError(error.reason);
      onComputed('postgresql', error.reason);
      return undefined;
    }
  }

  /** Who would compute the groups of the statement. Rejects with `RequestAbandonedError` or the error of pg. */
  async choose(prepared: EstimatedStatement, signal: AbortSignal): Promise<EngineChoice> {
    const rolled = this.#compileOverRollups(prepared);
    if (rolled?.isPossible)
      return { engine: 'rollup', reason: 'fits', rollups: rolled.rollups, statement: rolled.statement };
    return { ...(await this.#chooseByCost(prepared, signal)), unfit: rolled?.unfit ?? [] };
  }

  /** Undefined for rows, and where nobody makes rollups. */
  #compileOverRollups({ grouped, source }: EstimatedStatement): RollupCompilation | undefined {
    const { rollups } = this.options;
    if (!grouped || !rollups) return undefined;
    const { view, query, statement } = grouped;
    return compileRollupQuery(view, query, {
      ...{ schema: source.schema, statement },
      find: (grain) => rollups.find(source, grain),
    });
  }

  /** After one that was chosen had gone. */
  lookForRollups({ source }: Pick<EstimatedStatement, 'source'>): void {
    void this.options.rollups?.ensure(source.team);
  }

  /**
   * What is cheap to know comes first: a question about small tables is not planned a second time, and PostgreSQL estimates only what
   * could be computed by columns.
   */
  async #chooseByCost(prepared: EstimatedStatement, signal: AbortSignal): Promise<ColumnarChoice> {
    const { grouped, source } = prepared;
    if (!grouped) return postgresql('rows');
    if (!this.options.isOn) return postgresql('off');
    const { view, tables } = grouped;
    if (view.model.source.database !== undefined) return postgresql('external-database');
    const stored = new Map(tables.map((table) => [table, this.#find(source, table)]));
    const rows = [...stored.values()].flatMap((table) => table?.rows ?? []);
    if (rows.length === 0) return postgresql('no-table');
    if (!rows.some((count) => count >= this.options.rowsMin)) return postgresql('few-rows');
    const known = this.costs.known(prepared);
    if (known && !this.#isReadingMany(known, stored)) return postgresql('few-rows');
    const find = (table: string): ColumnarTable | undefined => stored.get(table);
    const compiled = compileColumnarQuery(view, grouped.query, {
      ...{ schema: source.schema, find },
      statement: grouped.statement,
    });
    if (!compiled.isPossible) return postgresql(compiled.obstacle);
    const cost = known ?? (await this.costs.of(prepared, signal));
    if (!this.#isReadingMany(cost, stored)) return postgresql('few-rows');
    return { engine: this.reader.engine, reason: 'many-rows', question: compiled.question };
  }

  #find({ generationOf }: EstimatedStatement['source'], table: string): ColumnarTable | undefined {
    const key = generationOf(table);
    return key && this.tables.find(key);
  }

  async #compute({ grains, compileOver }: ColumnarQuestion, signal: AbortSignal): Promise<CompiledStatement> {
    const groups = [];
    for (const { query, groupsMax } of grains) {
      const read = await this.reader.ask(query, { groupsMax, signal });
      groups.push(read);
      // To read many and to write them in the same turn of the event loop would hold it for too long.
      if (read.rows > groupsAtOnce) await eventLoopTurn();
    }
    return compileOver(groups);
  }

  #isReadingMany({ scans }: QueryCost, stored: StoredTables): boolean {
    return scans.some((scan) => rowsReadBy(scan, stored) >= this.options.rowsMin);
  }
}

/** Those of a question, by the names that the model gives them. */
type StoredTables = ReadonlyMap<string, ColumnarTable | undefined>;

/** What a healthy engine says as well. */
const expectedRefusals: ReadonlySet<ColumnarRefusalReason> = new Set(['no-table', 'too-many-groups', 'values']);

const postgresql = (reason: PostgresReason): ColumnarChoice => ({ engine: 'postgresql', reason });

/** A condition does not make a whole table shorter to read. */
const rowsReadBy = ({ table, isWhole, rows }: QueryCost['scans'][number], stored: StoredTables): number =>
  isWhole ? (stored.get(table)?.rows ?? rows) : rows;

export const describeEngineChoice = (choice: EngineChoice) => {
  const { engine: name, reason } = choice;
  if (choice.reason === 'fits') {
    const { rollups } = choice;
    return { name, reason, detail: `The groups are those of ${rollups.join(' and ')}, made after the last load.` };
  }
  return { name, reason, detail: [reasonTexts[choice.reason], describeUnfitRollups(choice.unfit)].join(' ').trim() };
};

const reasonTexts: Readonly<Record<ColumnarChoice['reason'], string>> = {
  'many-rows': 'It reads many rows, and all that is computed over them is exact by columns.',
  off: 'The engine of columns is switched off.',
  'few-rows': 'PostgreSQL estimates that it reads few rows, or that an index finds them.',
  rows: 'It asks for rows; only KPIs of groups are computed by columns.',
  'external-database': 'The tables are in an external database.',
  'no-table': 'A table that it reads is not stored by columns, or not yet.',
  column: 'It reads a column that cannot be stored exactly by columns.',
  'related-rows': 'It multiplies rows by related ones, looks through these, or searches.',
  expression: 'It computes over rows what is not certain to be the same by columns.',
  digits: 'A result over the rows may have more digits than are exact by columns.',
  values: 'It compares with a value of an unusual form, or with very many.',
  'too-many-groups': 'There are more groups than are worth handing over.',
  busy: 'Too many questions wait for the engine of columns.',
  timeout: 'The engine of columns took too long.',
  'out-of-memory': 'The engine of columns had too little memory.',
  'engine-ended': 'The engine of columns ended, or could not be reached.',
  failed: 'The engine of columns failed.',
};

/** Sentences; empty when there is nothing to tell. */
const describeUnfitRollups = (unfit: readonly UnfitRollup[]): string =>
  unfit.map(({ rollup, reason }) => `The rollup ${rollup} is not used: ${unfitTexts[reason]}.`).join(' ');

const unfitTexts: Readonly<Record<UnfitRollup['reason'], string>> = {
  joins: 'it is of rows of other records, or the caller sees some of its related rows alone',
  keys: 'the question groups by what is not among its fields',
  conditions: 'a condition or a policy reads what is not among its fields',
  aggregates: 'a KPI is not among its own, or cannot be made of those of its groups',
  'not-made': 'it is not made yet for the rows that are loaded',
  'too-many-groups': 'it has too many groups to be made',
  multiplied: 'a row of its records has several rows of another that it should have one of',
  failed: 'it could not be made; the log of the service says why',
};
