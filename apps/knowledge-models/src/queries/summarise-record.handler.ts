/**
 * Statistics of the attributes of a record over all rows that match, with a sample of them. What was computed is kept as every
 * other result is, so the same summary over the same data is computed once.
 */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { summariseRecord } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import {
  compileSummary,
  type CompiledStatement,
  type CompiledSummary,
  readFigures,
  type ResultColumn,
} from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import pMap from 'p-map';
import type { TextRow } from '@tessera/persistence';
import type { SerializedRows } from '../cache/result-cache.js';
import { QueryPreparer, type PreparedQuery } from './query-preparer.js';
import { parseQueryParameters } from './parse-query.js';
import { createRowsReply, presentHeaders } from './present-page.js';
import { mapQueryErrors } from './query-failure.js';
import { QueryRunner } from './query-runner.js';
import { createJsonObjectFormat, emptyRows } from './row-format.js';
import type { RowStream } from './row-stream.js';
import { encoderFor, type EncodeValue } from './encode-value.js';

type Prepared = PreparedQuery<CompiledSummary>;

/** Of the connections that all queries share. */
const statementsAtOnce = 3;

@Controller()
export class SummariseRecordHandler {
  constructor(
    private readonly models: QueryPreparer,
    private readonly runner: QueryRunner,
  ) {}

  @Serves(summariseRecord)
  summarise(
    request: RequestOf<typeof summariseRecord>,
    { caller, signal }: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      const { record_id, sampleSize, excludeFields = [] } = request;
      const parameters = { ...request, page: 0, pageSize: sampleSize, searchPrecision: 100 };
      const sample = parseQueryParameters(parameters, { record: record_id });
      if (!sample.ok) return sample;
      const prepared = await this.models.prepare(caller, request.km_id, ({ view, schema }) =>
        compileSummary(view, sample.value, excludeFields, { schema }),
      );
      if (!prepared.ok) return prepared;
      const { compiled } = prepared.value;
      // First what is computed, since rows that stream keep their connection.
      const behind = presentSummary(compiled, await this.#compute(prepared.value, signal));
      const rows = await this.#sample(prepared.value, sampleSize, signal);
      const headers = JSON.stringify(presentHeaders(compiled.sample.columns));
      return succeed(createRowsReply(`{"content":{"headers":${headers},"data":[`, rows, `]},${behind}}`));
    });
  }

  async #compute(
    { compiled: { figures, tops }, prepareStatement }: Prepared,
    signal: AbortSignal,
  ): Promise<SummaryRows> {
    const statements = [...figures, ...tops];
    const read = async (statement: CompiledStatement) => {
      const [row] = await this.runner.texts(prepareStatement(statement), signal);
      return row;
    };
    const rows = await pMap(statements, read, { concurrency: statementsAtOnce });
    return { figures: rows.slice(0, figures.length), tops: rows.slice(figures.length) };
  }

  async #sample(
    { compiled, prepareStatement }: Prepared,
    rowsMax: number,
    signal: AbortSignal,
  ): Promise<SerializedRows | RowStream> {
    const { columns, rows } = compiled.sample;
    return rowsMax === 0
      ? emptyRows
      : this.runner.page(prepareStatement(rows), createJsonObjectFormat(columns, rowsMax), signal);
  }
}

export type SummaryRows = {
  /** Of each of the statements, in their order. */
  readonly figures: readonly (TextRow | undefined)[];
  readonly tops: readonly (TextRow | undefined)[];
};

type Members = [name: string, json: string][];

/** Behind the sample: its shape and the summary. */
export const presentSummary = (compiled: CompiledSummary, { figures, tops }: SummaryRows): string => {
  const { columns } = compiled.sample;
  const members = new Map(columns.map(({ id }): [string, Members] => [id, []]));
  compiled.figures.forEach((statement, index) => addFigures(members, statement.fields, figures[index] ?? []));
  compiled.tops.forEach(({ field }, index) => {
    const column = columns.find(({ id }) => id === field);
    if (column) members.get(field)?.push(...topMembers(column, tops[index]));
  });
  const [rows] = figures[0] ?? [];
  const summary = [...members].map(([id, own]) => [id, objectOf(inOrder(own))] as const);
  return `"shape":[${rows ?? '0'},${columns.length}],"summary":${objectOf(summary)}`;
};

const encodeNumber = encoderFor('float', false);

const addFigures = (
  members: ReadonlyMap<string, Members>,
  fields: CompiledSummary['figures'][number]['fields'],
  row: TextRow,
): void => {
  // The number of rows stands before.
  let place = 1;
  for (const { id, figures } of fields) {
    const read = readFigures(figures, row.slice(place, place + figures.length));
    for (const [figure, text] of read) members.get(id)?.push([figure, jsonOf(text, encodeNumber)]);
    place += figures.length;
  }
};

const topMembers = ({ type }: ResultColumn, row: TextRow | undefined): Members => {
  const [value, frequency, unique] = row ?? [null, '0', '0'];
  return [
    ['unique', jsonOf(unique, encodeNumber)],
    ['top', jsonOf(value, encoderFor(type, false))],
    ['freq', JSON.stringify(frequency)],
  ];
};

const jsonOf = (text: string | null | undefined, encode: EncodeValue): string =>
  text === null || text === undefined ? 'null' : encode(text);

/** The count first, whatever was added when. */
const inOrder = (members: Members): Members =>
  members.toSorted(([left], [right]) => Number(right === 'count') - Number(left === 'count'));

const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
