/**
 * Keeps evidence of an answer while it is written: the digest of its rows comes from their format, the record is written after the
 * answer. Does nothing for an answer that nobody wants evidence of.
 */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import {
  type ByteReply,
  evidenceHeader,
  evidencePreference,
  preferenceAppliedHeader,
  prefersEvidence,
} from '@tessera/contracts';
import { evidenceAddressOf } from '@tessera/contracts/knowledge-models';
import { toLoggableReason } from '@tessera/failures';
import type { CallerView, CompiledQuery } from '@tessera/knowledge-model';
import type { OperationContext } from '@tessera/messaging';
import { createTimeOrderedId } from '@tessera/service-kit';
import { digestText, type PageEnd, type RowsEvidence, type SerializedRows } from '../cache/result-cache.js';
import type { CallerModel } from '../catalog/caller-models.js';
import type { Catalogs } from '../catalog/catalogs.js';
import type { RowStream } from '../queries/row-stream.js';
import { withEvidence, type RowFormat } from '../queries/row-format.js';
import type { AskedQuestion, InsightsQuestion, RowsQuestion } from './asked-question.js';
import { EvidenceLog, type EvidenceRow, questionBytesMax, questionBytesOf } from './evidence.repository.js';

type PageRows = SerializedRows | RowStream;

/** What was compiled, of the model as the caller sees it. */
type Prepared<Compiled> = { readonly compiled: Compiled; readonly model: CallerModel };

@Injectable()
export class EvidenceKeeper {
  #kept = 0;
  #refused = 0;

  constructor(
    private readonly log: EvidenceLog,
    private readonly catalogs: Pick<Catalogs, 'of'>,
  ) {}

  /** Records since the start. */
  get kept(): number {
    return this.#kept;
  }
  /** Answers without theirs. */
  get refused(): number {
    return this.#refused;
  }

  /** Undefined when evidence is not asked for, or the question is larger than is kept. */
  ofRows(
    prefer: string | undefined,
    context: OperationContext,
    kind: 'rows' | 'entries',
    { compiled, model }: Prepared<Pick<CompiledQuery, 'columns' | 'tables'>>,
    question: RowsQuestion,
  ): RowsRecorder | undefined {
    if (!this.#isKept(prefer, question)) return undefined;
    return new RowsRecorder(compiled.columns, question.order, this.#recorder(context, kind, question, model, compiled));
  }

  /** The same of what get-insights answers. */
  ofInsights(
    prefer: string | undefined,
    context: OperationContext,
    { compiled, model }: Prepared<Pick<CompiledQuery, 'tables'>>,
    question: InsightsQuestion,
  ): Recorder | undefined {
    return this.#isKept(prefer, question) ? this.#recorder(context, 'insights', question, model, compiled) : undefined;
  }

  #isKept(prefer: string | undefined, question: AskedQuestion): boolean {
    if (!prefersEvidence(prefer)) return false;
    const isSmall = questionBytesOf(question) <= questionBytesMax;
    if (!isSmall) this.#refused++;
    return isSmall;
  }

  #recorder(
    { caller, requestId }: OperationContext,
    kind: EvidenceRow['kind'],
    question: AskedQuestion,
    { model, view, viewKey, catalog }: CallerModel,
    { tables }: Pick<CompiledQuery, 'tables'>,
  ): Recorder {
    const evidenceId = createTimeOrderedId();
    const data = dataVersionsOf({ view, catalog }, tables);
    const refuse = (reason: string): false => {
      this.#refused++;
      logger.warn(`Evidence of the request ${requestId} could not be kept: ${reason}`);
      return false;
    };
    const isOfKnownData = async (): Promise<boolean> => {
      try {
        const now = dataVersionsOf({ view, catalog: await this.catalogs.of(caller.team) }, tables);
        return isDeepStrictEqual(now, data) || refuse('its tables were loaded anew while it was answered');
      } catch (error) {
        return refuse(toLoggableReason(error));
      }
    };
    const keep = async ({ rowCount, rowsDigest, figures }: RecordedResult): Promise<boolean> => {
      const row: EvidenceRow = {
        ...{ evidenceId, subject: caller.subject, requestId, kind, question },
        ...{ modelId: model.id, modelVersion: model.version, modelDigests: model.digests },
        viewDigest: digestText(viewKey),
        data,
        policies: policyNamesOf(view, tables),
        salt: randomBytes(saltBytes).toString('base64'),
        ...{ rowCount, rowsDigest: Buffer.from(rowsDigest).toString('base64'), figures },
      };
      try {
        await this.log.defer(caller.team, row);
      } catch (error) {
        return refuse(toLoggableReason(error));
      }
      this.#kept++;
      return true;
    };
    return new Recorder(evidenceAddressOf(evidenceId), { isOfKnownData, keep });
  }
}

const logger = new Logger('Evidence');
const saltBytes = 16;

/** What an answer was, without its rows. */
export type RecordedResult = Pick<EvidenceRow, 'rowCount' | 'figures'> & { readonly rowsDigest: Uint8Array };

type Keeping = {
  /**
   * Once the statement has begun to answer: it may have waited for a load, and read what that committed. Until the statement ends
   * its tables cannot be loaded again.
   */
  readonly isOfKnownData: () => Promise<boolean>;
  /** Resolves to false when the record cannot be written: the answer is given without it. */
  readonly keep: (result: RecordedResult) => Promise<boolean>;
};

/** Of one answer. */
export class Recorder {
  constructor(
    private readonly address: string,
    readonly keeping: Keeping,
  ) {}

  /** The answer, with the address of its record. */
  async present(result: RecordedResult, reply: ByteReply): Promise<ByteReply> {
    const { isOfKnownData, keep } = this.keeping;
    return (await isOfKnownData()) && (await keep(result)) ? this.withAddress(reply) : reply;
  }

  withAddress(reply: ByteReply): ByteReply {
    const applied = reply.headers?.[preferenceAppliedHeader];
    const headers = {
      ...reply.headers,
      [evidenceHeader]: this.address,
      [preferenceAppliedHeader]: applied === undefined ? evidencePreference : `${applied}, ${evidencePreference}`,
    };
    return { ...reply, headers };
  }
}

/** Of one answer that has rows. */
export class RowsRecorder {
  constructor(
    private readonly columns: CompiledQuery['columns'],
    private readonly order: RowsQuestion['order'],
    private readonly recorder: Recorder,
  ) {}

  /** `isCanonical`: whether the format writes rows in canonical form, which are JSON objects. */
  formatOf(format: RowFormat, isCanonical: boolean): RowFormat {
    return withEvidence(format, this.columns, { order: this.order, isCanonical });
  }

  /** The answer, with the address of its record. That of a stream is written when it has been read to its end. */
  async present(rows: PageRows, present: (rows: PageRows) => ByteReply): Promise<ByteReply> {
    if (rows.kind === 'rows') {
      const result = recordedRows(this.columns, this.order, rows);
      return result ? this.recorder.present(result, present(rows)) : present(rows);
    }
    if (!(await this.recorder.keeping.isOfKnownData())) return present(rows);
    const keep = async (): Promise<void> => {
      const result = recordedRows(this.columns, this.order, rows.end());
      if (result) await this.recorder.keeping.keep(result);
    };
    return this.recorder.withAddress(present({ ...rows, pieces: afterLast(rows.pieces, keep) }));
  }
}

/** As `RowsRecorder.present`; as it is where nobody wants evidence. */
export const presentRows = async (
  recorder: RowsRecorder | undefined,
  rows: PageRows,
  present: (rows: PageRows) => ByteReply,
): Promise<ByteReply> => (recorder ? recorder.present(rows, present) : present(rows));

/** Undefined when the format of the rows made no evidence. */
export const recordedRows = (
  columns: CompiledQuery['columns'],
  order: RowsQuestion['order'],
  { count, evidence }: Pick<PageEnd, 'count' | 'evidence'>,
): RecordedResult | undefined =>
  evidence && {
    rowCount: count,
    rowsDigest: evidence.rowsDigest,
    figures: count === 1 ? figuresOf(columns, order, evidence) : undefined,
  };

/** The KPIs of the only row of an answer. */
const figuresOf = (
  columns: CompiledQuery['columns'],
  order: RowsQuestion['order'],
  { figures }: RowsEvidence,
): EvidenceRow['figures'] => {
  const places = order ?? [...columns.keys()];
  const kpis = places.flatMap((place) => (columns[place]?.aggregation ? [columns[place].id] : []));
  return kpis.length === 0 ? undefined : kpis.map((id, place) => ({ id, value: figures[place] ?? null }));
};

/** Who ended the reading before the end has no answer that evidence could be of. */
const afterLast = (
  pieces: AsyncIterableIterator<Uint8Array>,
  atEnd: () => Promise<unknown>,
): AsyncIterableIterator<Uint8Array> => {
  let isEnded = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      const step = await pieces.next();
      if (step.done && !isEnded) {
        isEnded = true;
        await atEnd();
      }
      return step;
    },
    return: async () => {
      isEnded = true;
      await pieces.return?.();
      return { done: true, value: undefined };
    },
  };
};

/** Nobody tells the version of data in an external database. */
export const dataVersionsOf = (
  { view, catalog }: Pick<CallerModel, 'view' | 'catalog'>,
  tables: readonly string[],
): EvidenceRow['data'] => {
  const { schema, database } = view.model.source;
  return tables.map((table) =>
    database === undefined
      ? { table, version: catalog.tables.get(`${schema}.${table}`)?.dataVersion ?? '0' }
      : { table, database },
  );
};

/** What restricts the caller in these tables, by what it does; never how. */
export const policyNamesOf = (
  { model, policyTexts, hiddenFields }: CallerView,
  tables: readonly string[],
): readonly string[] => {
  const isRead = (record: string): boolean => tables.includes(model.recordById.get(record)?.table ?? '');
  const rows = policyTexts.filter(({ record }) => isRead(record)).map(({ record }) => `rows of ${record}`);
  const records = hiddenFields.map((name) => name.slice(0, name.indexOf('.')));
  return [...new Set([...rows, ...records.filter(isRead).map((record) => `fields of ${record}`)])];
};
