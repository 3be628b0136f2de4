/**
 * Evidence of an answer, for whoever may read the model and all that the question names, and the same question once more. For
 * everybody else there is no record. Never tells the result of a question, a value in it, or what either decides, to a reader who
 * sees other rows or fields than the one who asked: its result in that reader's rows is one of these.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import { canonicalJson, type Caller, type ReplyOf, type RequestOf } from '@tessera/contracts';
import {
  type ChangeReason,
  type EvidenceResult,
  type EvidenceStatement,
  explainScope,
  readEvidence,
  replayEvidence,
} from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import { compileQuery, type CompiledStatement } from '@tessera/knowledge-model';
import { type OperationContext, Serves } from '@tessera/messaging';
import { instantOfId } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { describePlan } from '../queries/describe-plan.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { QueryPreparer } from '../queries/query-preparer.js';
import { planWithoutPolicies, type ResolvedQuestion, resolveQuestion, rowsAddressesOf } from './describe-question.js';
import { EvidenceLog, type EvidenceRow, readEvidenceRow } from './evidence.repository.js';
import { dataVersionsOf, policyNamesOf } from './keep-evidence.js';
import { QuestionReplay, type ReplayedResult } from './question-replay.js';
import { type RecordedModel, RecordedModels } from './recorded-models.js';

type FoundEvidence = { readonly row: EvidenceRow; readonly recorded: RecordedModel; readonly asked: ResolvedQuestion };

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** From an answer to the moment when another replica has written its record. */
const writtenWithinMs = 2_000;
/** Twice as long after each look, since an id may be invented. */
const firstWaitMs = 100;

@Controller()
export class EvidenceHandler {
  constructor(
    private readonly log: EvidenceLog,
    private readonly source: DataSource,
    private readonly models: RecordedModels,
    private readonly preparer: QueryPreparer,
    private readonly replays: QuestionReplay,
  ) {}

  @Serves(readEvidence)
  read(
    { evidence_id: id }: RequestOf<typeof readEvidence>,
    { caller, publicUrl, signal }: OperationContext,
  ): Promise<Result<ReplyOf<typeof readEvidence>>> {
    return mapQueryErrors(async () => {
      const found = await this.#find(caller, id, signal);
      return found ? this.#present(found, caller, publicUrl) : notFound;
    });
  }

  @Serves(replayEvidence)
  replay(
    { evidence_id: id }: RequestOf<typeof replayEvidence>,
    { caller, signal }: OperationContext,
  ): Promise<Result<ReplyOf<typeof replayEvidence>>> {
    return mapQueryErrors<ReplyOf<typeof replayEvidence>>(async () => {
      const found = await this.#find(caller, id, signal);
      if (!found) return notFound;
      const { row, recorded } = found;
      // The rows of another reader, a failure and how long it takes would tell of the values that the question compares with.
      if (!recorded.seesSame) return succeed({ reasons: reasonsOf(found, dataNowOf(found)) });
      const before = resultOf(row);
      const replayed = await this.replays.ask(caller, row, signal);
      if (!replayed.ok) {
        const { code, detail } = replayed.failure;
        if (code === 'SERVICE_UNAVAILABLE') return replayed;
        const reasons = reasonsOf(found, dataNowOf(found));
        return succeed({ outcome: 'changed', reasons, before, failure: { code, detail } });
      }
      const { rowCount: rows, figures, data } = replayed.value;
      const rowsDigest = Buffer.from(replayed.value.rowsDigest).toString('hex');
      const isSame = rows === before.rows && rowsDigest === before.rowsDigest;
      return succeed({
        outcome: isSame ? 'same' : 'changed',
        reasons: reasonsOf(found, data, !isSame),
        before,
        now: { rows, rowsDigest, ...(figures && { figures: [...figures] }) },
      });
    });
  }

  /**
   * Undefined for a reader to whom the record is not there; as late for one that is hidden from the reader as for one that nobody
   * has written.
   */
  async #find(caller: Caller, id: string, signal: AbortSignal): Promise<FoundEvidence | undefined> {
    if (!idPattern.test(id)) return undefined;
    // What cannot be written now takes no record with it that is there already.
    await this.log.flush(caller.team).catch(() => undefined);
    for (let waitMs = firstWaitMs; ; waitMs *= 2) {
      const found = await this.#look(caller, id);
      const ageMs = Date.now() - Date.parse(instantOfId(id));
      if (found || ageMs > writtenWithinMs || ageMs < -writtenWithinMs || signal.aborted) return found;
      await sleep(Math.min(waitMs, writtenWithinMs - ageMs + 1));
    }
  }

  async #look(caller: Caller, id: string): Promise<FoundEvidence | undefined> {
    const row = await readEvidenceRow(this.source, caller.team, id);
    const recorded = row && (await this.models.find(caller, row));
    if (!row || !recorded) return undefined;
    const asked = resolveQuestion(recorded.view, row.question, toldValuesTo(recorded));
    return asked.ok ? { row, recorded, asked: asked.value } : undefined;
  }

  async #present(
    { row, recorded, asked }: FoundEvidence,
    caller: Caller,
    publicUrl: string,
  ): Promise<Result<ReplyOf<typeof readEvidence>>> {
    const { view, current, seesSame } = recorded;
    const { query, question, words } = asked;
    const plan = planWithoutPolicies(view, query, toldValuesTo(recorded));
    if (!plan.ok) return plan;
    const { source, view: read } = await this.preparer.sourceOf(caller.team, { catalog: current.catalog, view });
    const schema = source.ok ? source.value.schema : view.model.source.schema;
    const compiled = compileQuery(read, query, { schema });
    if (!compiled.ok) return compiled;
    const { text, values } = compiled.value.rows;
    return succeed({
      statement: statementOf(row, { team: caller.team, installation: publicUrl, question }),
      ...(seesSame && { result: resultOf(row) }),
      words,
      plan: describePlan(plan.value),
      // Both have the values that the question compares with, SQL also those of the row that a page begins behind.
      ...(maySeeSql(caller) && seesSame && { sql: { text, parameters: [...values].map(parameterOf) } }),
      rows: seesSame ? rowsAddressesOf(view, query, compiled.value.grain, { publicUrl, modelId: row.modelId }) : [],
    });
  }
}

const toldValuesTo = ({ seesSame }: RecordedModel) => (seesSame ? 'show' : 'hide');

const dataNowOf = ({ row, recorded }: FoundEvidence): EvidenceRow['data'] =>
  dataVersionsOf(
    recorded.current,
    row.data.map(({ table }) => table),
  );

const maySeeSql = ({ furtherScopes = [] }: Caller): boolean => furtherScopes.includes(explainScope);

/** Lists as JSON has them. */
const parameterOf = (value: CompiledStatement['values'][number]) =>
  typeof value === 'object' && value !== null ? [...value] : value;

const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const resultOf = ({ salt, rowCount, rowsDigest, figures }: EvidenceRow): EvidenceResult => ({
  salt: hexOf(salt),
  rows: rowCount,
  rowsDigest: hexOf(rowsDigest),
  ...(figures && { figures }),
});

const statementOf = (
  row: EvidenceRow,
  { team, installation, question }: Pick<EvidenceStatement, 'team' | 'installation' | 'question'>,
): EvidenceStatement => ({
  format: 'tessera-evidence-1',
  id: row.evidenceId,
  ...(installation !== undefined && { installation }),
  team,
  askedAt: instantOfId(row.evidenceId),
  askedBy: row.subject,
  requestId: row.requestId,
  kind: row.kind,
  model: { id: row.modelId, version: row.modelVersion, digests: row.modelDigests.split(' ') },
  question,
  data: [...row.data],
  policies: [...row.policies],
  resultDigest: resultDigestOf(resultOf(row)),
});

/** Without the salt the few figures of an answer could be guessed until their digest fits. */
const resultDigestOf = ({ salt, rows, rowsDigest }: EvidenceResult): string =>
  createHash('sha256').update(canonicalJson({ salt, rows, rowsDigest })).digest('hex');

/** `isChanged`: whether data of which nobody tells a version counts as another one. */
const reasonsOf = (
  { row, recorded }: FoundEvidence,
  data: ReplayedResult['data'],
  isChanged = false,
): ChangeReason[] => {
  const { current, changes, seesSame } = recorded;
  const { model } = current;
  const tables = row.data.map(({ table }) => table);
  const ofData = row.data.flatMap(({ table, version: before, database }): readonly ChangeReason[] => {
    const now = data.find((each) => each.table === table)?.version;
    if (database !== undefined) return isChanged ? [{ kind: 'data', table }] : [];
    return before === now ? [] : [{ kind: 'data', table, ...(before && { before }), ...(now && { now }) }];
  });
  const isOtherModel = model.digests !== row.modelDigests;
  return [
    ...ofData,
    ...(isOtherModel
      ? [{ kind: 'model' as const, before: row.modelVersion, now: model.version, changes: [...changes] }]
      : []),
    ...(seesSame === false
      ? [{ kind: 'rights' as const, before: [...row.policies], now: [...policyNamesOf(current.view, tables)] }]
      : []),
  ];
};
