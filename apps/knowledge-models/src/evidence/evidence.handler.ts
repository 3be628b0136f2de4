/**
 * Evidence of an answer, for whoever may read the model and all that the question names, and the same question once more. For
 * everybody else there is no record. Never tells the result of a question, or a value in it, to a reader who sees other rows or
 * fields than the one who asked.
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
      const replayed = await this.replays.ask(caller, row, signal);
      const before = recorded.seesSame ? { before: resultOf(row) } : {};
      if (!replayed.ok) {
        const { code } = replayed.failure;
        if (code === 'SERVICE_UNAVAILABLE') return replayed;
        const reasons = reasonsOf(found, dataNowOf(found));
        // It may quote what the question compares with.
        const detail = recorded.seesSame ? replayed.failure.detail : 'The model does not take the question any more.';
        return succeed({ outcome: 'changed', reasons, ...before, failure: { code, detail } });
      }
      const { rowCount: rows, figures, data } = replayed.value;
      const rowsDigest = Buffer.from(replayed.value.rowsDigest).toString('hex');
      const isSame = rows === row.rowCount && rowsDigest === hexOf(row.rowsDigest);
      return succeed({
        outcome: isSame ? 'same' : 'changed',
        reasons: reasonsOf(found, data, !isSame),
        ...before,
        now: { rows, rowsDigest, ...(figures && { figures: [...figures] }) },
      });
    });
  }

  /** Undefined for a reader to whom the record is not there. */
  async #find(caller: Caller, id: string, signal: AbortSignal): Promise<FoundEvidence | undefined> {
    const row = idPattern.test(id) ? await this.#readRow(caller.team, id, signal) : undefined;
    const recorded = row && (await this.models.find(caller, row));
    if (!row || !recorded) return undefined;
    const asked = resolveQuestion(recorded.view, row.question, recorded.seesSame ? 'show' : 'hide');
    return asked.ok ? { row, recorded, asked: asked.value } : undefined;
  }

  async #readRow(team: string, id: string, signal: AbortSignal): Promise<EvidenceRow | undefined> {
    // What cannot be written now takes no record with it that is there already.
    await this.log.flush(team).catch(() => undefined);
    for (let waitMs = firstWaitMs; ; waitMs *= 2) {
      const row = await readEvidenceRow(this.source, team, id);
      const ageMs = Date.now() - Date.parse(instantOfId(id));
      if (row || ageMs > writtenWithinMs || ageMs < -writtenWithinMs || signal.aborted) return row;
      await sleep(Math.min(waitMs, writtenWithinMs - ageMs + 1));
    }
  }

  #present(
    { row, recorded, asked }: FoundEvidence,
    caller: Caller,
    publicUrl: string,
  ): Result<ReplyOf<typeof readEvidence>> {
    const { view, current, seesSame } = recorded;
    const { query, question, words } = asked;
    const plan = planWithoutPolicies(view, query);
    if (!plan.ok) return plan;
    const source = this.preparer.sourceOf(caller.team, { catalog: current.catalog, view });
    const schema = source.ok ? source.value.schema : view.model.source.schema;
    const compiled = compileQuery(view, query, { schema });
    if (!compiled.ok) return compiled;
    const { text, values } = compiled.value.rows;
    return succeed({
      statement: statementOf(row, caller.team, question),
      ...(seesSame && { result: resultOf(row) }),
      words,
      plan: describePlan(plan.value),
      // Both have the values that the question compares with, SQL also those of the row that a page begins behind.
      ...(maySeeSql(caller) && seesSame && { sql: { text, parameters: [...values].map(parameterOf) } }),
      rows: seesSame ? rowsAddressesOf(view, query, compiled.value.grain, { publicUrl, modelId: row.modelId }) : [],
    });
  }
}

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

const statementOf = (row: EvidenceRow, team: string, question: EvidenceStatement['question']): EvidenceStatement => ({
  format: 'tessera-evidence-1',
  id: row.evidenceId,
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
