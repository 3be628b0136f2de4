/**
 * Records of questions and their answers. Rows are only added, and go after a retention time; the ids are in the order of time.
 * Never holds a row of data.
 */
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { evidenceKinds } from '@tessera/contracts/knowledge-models';
import { type Pool, readAsTenant } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { Evidence } from '@tessera/persistence/knowledge-models';
import { BatchedRows, RecurringJobs, settingsToken } from '@tessera/service-kit';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { Pools } from '../database.module.js';
import type { Settings } from '../settings.js';
import { AskedQuestion } from './asked-question.js';

const DataVersions = z.array(
  z.object({ table: z.string(), version: z.string().optional(), database: z.string().optional() }),
);
const Figures = z.array(z.object({ id: z.string(), value: z.string().nullable() }));

/** Digests and the salt in base64. */
export type EvidenceRow = {
  readonly evidenceId: string;
  readonly subject: string;
  readonly requestId: string;
  readonly kind: (typeof evidenceKinds)[number];
  readonly modelId: string;
  readonly modelVersion: number;
  readonly modelDigests: string;
  readonly viewDigest: string;
  readonly question: AskedQuestion;
  readonly data: z.output<typeof DataVersions>;
  readonly policies: readonly string[];
  readonly salt: string;
  readonly rowCount: number;
  readonly rowsDigest: string;
  readonly figures: z.output<typeof Figures> | undefined;
};

const insertText = `
  insert into knowledge_models.evidence (tenant, evidence_id, subject, request_id, kind, model_id, model_version,
    model_digests, view_digest, question, data, policies, salt, row_count, rows_digest, figures)
  select $1, "evidenceId", subject, "requestId", kind, "modelId", "modelVersion", "modelDigests",
    decode("viewDigest", 'base64'), question, data, policies, decode(salt, 'base64'), "rowCount",
    decode("rowsDigest", 'base64'), figures
  from json_to_recordset($2::json) as r("evidenceId" uuid, subject text, "requestId" text, kind text, "modelId" text,
    "modelVersion" integer, "modelDigests" text, "viewDigest" text, question json, data json, policies json, salt text,
    "rowCount" bigint, "rowsDigest" text, figures json)
  on conflict do nothing`;

/** May be repeated after an error that leaves open whether the rows are there. */
const insertEvidence = async (pool: Pool, team: string, rows: readonly EvidenceRow[]): Promise<void> => {
  await readAsTenant(pool, team, { name: 'evidence_insert', text: insertText, values: [team, JSON.stringify(rows)] });
};

/** Of the JSON of a question; there is no evidence of a larger one. */
export const questionBytesMax = 32 * 1024;
/** Of a record beside its question. */
const otherBytes = 1024;

export const questionBytesOf = (question: AskedQuestion): number => Buffer.byteLength(JSON.stringify(question));

/** Written after the answers, which wait for none of them, and before the service has stopped. */
export class EvidenceLog extends BatchedRows<EvidenceRow> {
  constructor(pool: Pool) {
    super({
      what: 'records of evidence',
      insert: (team, rows) => insertEvidence(pool, team, rows),
      bytesOf: ({ question }) => questionBytesOf(question) + otherBytes,
      mayBeRefused: true,
    });
  }
}

const Policies = z.array(z.string());

export const readEvidenceRow = (
  source: DataSource,
  team: string,
  evidenceId: string,
): Promise<EvidenceRow | undefined> =>
  runInTenantEntityTransaction(source, team, async (manager) => {
    const found = await manager.findOneBy(Evidence, { tenant: team, evidenceId });
    if (!found) return undefined;
    const { tenant: _, viewDigest, salt, rowsDigest, rowCount, ...row } = found;
    return {
      ...row,
      kind: z.enum(evidenceKinds).parse(row.kind),
      viewDigest: viewDigest.toString('base64'),
      salt: salt.toString('base64'),
      rowsDigest: rowsDigest.toString('base64'),
      rowCount: Number(rowCount),
      question: AskedQuestion.parse(row.question),
      data: DataVersions.parse(row.data),
      policies: Policies.parse(row.policies),
      figures: row.figures === null ? undefined : Figures.parse(row.figures),
    };
  });

/** Deletes old rows of all teams, at most `rowsMax`; answers how many. */
export const purgeEvidence = async (pool: Pool, keptDays: number, rowsMax: number): Promise<number> => {
  const { rows } = await pool.query<{ readonly gone: string }>({
    name: 'evidence_forget',
    text: 'select knowledge_models.forget_evidence(make_interval(days => $1), $2) as gone',
    values: [keptDays, rowsMax],
  });
  return Number(rows[0]?.gone ?? 0);
};

/** Of one statement, which stays short beside the records that are written. */
const purgedRowsMax = 10_000;

@Injectable()
export class EvidenceMaintenance implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: RecurringJobs,
    private readonly pools: Pools,
    @Inject(settingsToken) private readonly settings: Pick<Settings, 'EVIDENCE_KEPT_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    const { EVIDENCE_KEPT_DAYS } = this.settings;
    this.jobs.start({
      failed: 'old evidence was not forgotten; it is tried again',
      run: async () =>
        (await purgeEvidence(this.pools.light, EVIDENCE_KEPT_DAYS, purgedRowsMax)) === purgedRowsMax ? 'more' : 'done',
    });
  }
}
