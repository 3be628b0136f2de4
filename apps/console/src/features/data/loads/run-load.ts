/**
 * Loads a CSV file into a table: begin, batch by batch, commit. Rows go into a new generation, so the table keeps its rows until all have
 * come; after a failure it keeps them for good.
 */
import { splitRecords, type Encoding, type FileFault, type RecordBatch } from '@tessera/contracts/record-files';
import type { call } from '../../../api/call.js';
import { refusalOf } from '../../../api/failures.js';
import type { AnswerFor, InputFor } from '../../../api/operations.js';
import { chunksOf } from '../csv/csv-preview.js';
import { correctLines, linesAt, type Corrections } from './correct-lines.js';
import { retryTransient, waitFor, type Wait } from './retry-transient.js';

export type LoadStatus = AnswerFor<'readLoad'>;
export type LoadFault = NonNullable<LoadStatus['faults']>[number];

export type LoadPlan = {
  readonly team: string;
  readonly schema: string;
  readonly table: string;
  readonly begin: InputFor<'beginLoad'>['begin'];
  readonly file: Blob;
  readonly encoding: Encoding;
  readonly hasHeader: boolean;
  readonly corrections: Corrections;
  /** True when the table may have fewer than half of its rows afterwards. */
  readonly allowShrink?: true;
};

export type LoadProgress = {
  readonly phase: 'sending' | 'committing';
  /** Of the file, and what they held. */
  readonly bytes: number;
  readonly rows: number;
};

export type LoadOutcome =
  | { readonly kind: 'committed'; readonly status: LoadStatus; readonly sentRows: number }
  | {
      readonly kind: 'faults';
      readonly faults: readonly LoadFault[];
      /** The texts of the lines, as they were sent. */
      readonly lines: Corrections;
      /** There may be more in lines that were not looked at. */
      readonly isPartial: boolean;
    }
  | { readonly kind: 'file'; readonly fault: FileFault };

export type LoadContext = {
  readonly call: typeof call;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly wait?: Wait;
};

type LoadKey = { readonly team: string; readonly schema: string; readonly table: string; readonly loadId: string };

const inFlightMax = 3;
const commitPauseMs = 1_000;
/** That the server says of a batch. */
const faultsMax = 100;

/** Throws `CallError`, the reason of the signal, and what the browser says of a file that cannot be read any more. */
export const runLoad = async (plan: LoadPlan, context: LoadContext): Promise<LoadOutcome> => {
  const { team, schema, table, begin } = plan;
  const idempotencyKey = crypto.randomUUID();
  const { loadId } = await patiently(context, (signal) =>
    context.call('beginLoad', { team, schema, table, begin, idempotencyKey }, { signal }),
  );
  const key = { team, schema, table, loadId };
  let outcome: LoadOutcome | undefined;
  try {
    outcome = await sendAll(key, plan, context);
    return outcome;
  } finally {
    // What is refused has no rows any more, and is kept to be looked at. What cannot be cancelled is forgotten after a day.
    if (outcome === undefined || outcome.kind === 'file') await context.call('cancelLoad', key).catch(() => undefined);
  }
};

const patiently = <Value>(
  { signal, wait }: LoadContext,
  act: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> => retryTransient(() => act(signal), signal, wait);

const sendAll = async (key: LoadKey, plan: LoadPlan, context: LoadContext): Promise<LoadOutcome> => {
  const sending = new BatchSender(key, plan.corrections, context);
  try {
    const { encoding, hasHeader, begin } = plan;
    const { delimiter = ',' } = begin;
    const pieces = splitRecords(chunksOf(plan.file), { format: 'csv', delimiter, hasHeader, encoding });
    for await (const piece of pieces) {
      if (piece.kind === 'fault') return { kind: 'file', fault: piece };
      if (piece.kind === 'batch' && !(await sending.send(piece))) break;
    }
  } finally {
    await sending.settle();
  }
  return sending.faults() ?? commitAll(key, sending, plan, context);
};

type FailedBatch = {
  readonly ordinal: number;
  readonly error: unknown;
  readonly sent: { readonly firstLine: number; readonly text: string };
};

/** A few batches at once. */
class BatchSender {
  batches = 0;
  #bytes = 0;
  #rows = 0;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #failed: FailedBatch[] = [];

  constructor(
    private readonly key: LoadKey,
    private readonly corrections: Corrections,
    private readonly context: LoadContext,
  ) {}

  get progress() {
    return { bytes: this.#bytes, rows: this.#rows };
  }

  /** Waits until there is room for more; false when a batch has failed and the rest need not be sent. */
  async send(batch: RecordBatch): Promise<boolean> {
    const sending = this.#stage(batch, this.batches).finally(() => this.#inFlight.delete(sending));
    this.batches += 1;
    this.#inFlight.add(sending);
    if (this.#inFlight.size >= inFlightMax) await Promise.race(this.#inFlight);
    return this.#failed.length === 0;
  }

  async settle(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async #stage(batch: RecordBatch, ordinal: number): Promise<void> {
    const { firstLine, bytes } = batch;
    const text = correctLines(batch, this.corrections);
    const input = { ...this.key, batch: { ordinal, firstLine, text } };
    try {
      const { rows } = await patiently(this.context, (signal) => this.context.call('stageRows', input, { signal }));
      this.#bytes += bytes;
      this.#rows += rows;
      this.context.onProgress({ phase: 'sending', ...this.progress });
    } catch (error) {
      this.#failed.push({ ordinal, error, sent: { firstLine, text } });
    }
  }

  /** Undefined when all went well. Throws when something failed that is not in the rows. */
  faults(): LoadOutcome | undefined {
    const failed = this.#failed.toSorted((one, other) => one.ordinal - other.ordinal);
    const found = failed.flatMap(({ error, sent }) => {
      const faults = rowFaultsOf(error);
      const lines = linesAt(
        sent,
        faults.flatMap(({ line }) => line ?? []),
      );
      const isPartial = this.batches > 1 || faults.length >= faultsMax;
      return faults.length > 0 ? [{ kind: 'faults', faults, lines, isPartial } as const] : [];
    });
    const [first] = failed;
    // After a refusal other batches only get the same answer, which is not about their own lines.
    const outcome = found.find(({ lines }) => lines.size > 0) ?? found[0];
    if (outcome === undefined && first !== undefined) throw first.error;
    return outcome;
  }
}

/** The server says where by `<line>.<column>`, as far as these are known. */
export const rowFaultsOf = (error: unknown): readonly LoadFault[] =>
  (refusalOf(error)?.faults ?? [])
    .filter((fault) => fault.in === 'rows')
    .map(({ path, message }) => {
      const [, line = '', column = ''] = /^(\d+)?\.?(.*)$/s.exec(path) ?? [];
      return { ...(line !== '' && { line: Number(line) }), ...(column !== '' && { column }), message };
    });

const wholeFile = { lines: new Map<number, string>(), isPartial: false };

/** Asks until it is done; a commit that is repeated does nothing twice. */
const commitAll = async (
  key: LoadKey,
  { batches, progress }: BatchSender,
  { allowShrink }: LoadPlan,
  context: LoadContext,
): Promise<LoadOutcome> => {
  const { wait = waitFor, signal } = context;
  context.onProgress({ phase: 'committing', ...progress });
  for (;;)
    try {
      const commit = { batches, ...(allowShrink && { allowShrink }) };
      const status = await patiently(context, () => context.call('commitLoad', { ...key, commit }));
      if (status.state === 'committed') return { kind: 'committed', status, sentRows: progress.rows };
      if (status.state === 'refused') return { kind: 'faults', faults: status.faults ?? [], ...wholeFile };
      await wait(commitPauseMs, signal);
    } catch (error) {
      const faults = rowFaultsOf(error);
      if (faults.length === 0) throw error;
      return { kind: 'faults', faults, ...wholeFile };
    }
};
