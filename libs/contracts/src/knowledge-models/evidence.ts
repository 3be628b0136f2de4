/** Records of questions and their answers, by which a figure can be shown to be right later, and their replay. */
import { z } from 'zod';
import { DocumentOfFigure } from '../content-repo/figure-documents.js';
import { DefinitionDifference } from '../definition-parts.js';
import { operation } from '../operation.js';
import { KmQueryDataRequest, modelByIdPrefix, modelPathParameters, modelQueryFailureCodes } from './parts.js';

export const evidencePrefix = '/intelligence/api/evidence';
const evidenceByIdPrefix = `${evidencePrefix}/{evidence_id}`;

/** Without scheme and host. */
export const evidenceAddressOf = (id: string): string => `${evidencePrefix}/${id}`;

export const evidencePathParameters = {
  evidence_id: z
    .string()
    .min(1)
    .max(200)
    .describe('The id of the record, the end of the address in the header `Evidence`.'),
};
/** Beside `knowledge-models:read`, for SQL: a further scope, which no operation asks for. */
export const explainScope = 'knowledge-models:explain';

const text = z.string();
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const EvidenceQuestion = z
  .object({
    record: text.optional().describe('At the level of this record; of the model when absent.'),
    columns: z
      .array(text)
      .describe('Ids of fields and KPIs in the order of the rows; of insights the KPI, then the fields.'),
    filters: z.array(text).describe('Ids of filters of the model.'),
    conditions: z
      .array(text)
      .describe('Filter expressions; all of them hold. With `…` for each value when the reader sees no result.'),
    groupConditions: z.array(text).describe('Conditions on groups; all of them hold.'),
    sort: z.array(text).describe('`+` or `-` and the id of a column.'),
    distinct: z.boolean(),
    search: z
      .object({
        term: text.optional().describe('Absent when the reader sees no result.'),
        fields: z.array(text).optional(),
        precision: count,
      })
      .optional(),
    page: count,
    skip: count.optional().describe('Rows that are left out before the first.'),
    continues: z.boolean().optional().describe('Whether it begins behind the last row of the page before.'),
    pageSize: count,
  })
  .meta({ id: 'EvidenceQuestion' });

const DataVersion = z
  .object({
    table: text,
    version: text.optional().describe('The number of the load; absent in a database of others, which tells none.'),
    database: text.optional().describe('The name of the external database.'),
  })
  .meta({ id: 'DataVersion' });

export const evidenceKinds = ['rows', 'entries', 'insights'] as const;

/** What everybody who may read the record is told; an export signs it. */
export const EvidenceStatement = z
  .object({
    format: z.literal('tessera-evidence-1'),
    id: z.uuid(),
    installation: z.url().optional().describe('The address of the installation, which has signed an export of it.'),
    team: text,
    askedAt: z.iso.datetime(),
    askedBy: text,
    requestId: text,
    kind: z
      .enum(evidenceKinds)
      .describe('`rows`: of `/query`, `/data` and load-data; `entries`: of OData; `insights`: of get-insights.'),
    model: z.object({
      id: text,
      version: z.int().min(1),
      digests: z.array(digest).describe('SHA-256 of its definition, then those of its base models.'),
    }),
    question: EvidenceQuestion,
    data: z.array(DataVersion).describe('The tables that were read.'),
    policies: z.array(text).describe('What restricted the one who asked: `rows of RECORD`, `fields of RECORD`.'),
    resultDigest: digest.describe('SHA-256 of the canonical JSON of `salt`, `rows` and `rowsDigest` of the result.'),
  })
  .meta({ id: 'EvidenceStatement' });
export type EvidenceStatement = z.output<typeof EvidenceStatement>;

/** What only a reader who sees the same of the model as the one who asked is told. */
export const EvidenceResult = z
  .object({
    salt: z.string().regex(/^[0-9a-f]{32}$/),
    rows: count.describe('Rows of the answer.'),
    rowsDigest: digest.describe('SHA-256 of the rows in canonical form.'),
    figures: z
      .array(z.object({ id: text, value: text.nullable() }))
      .optional()
      .describe('The KPIs of an answer of one row, digit for digit.'),
  })
  .meta({ id: 'EvidenceResult' });
export type EvidenceResult = z.output<typeof EvidenceResult>;

/** How a question of the caller would be answered: the plan, and what restricts the caller. Never data, nor what policies say. */
export const explainOwnQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.queries.explainOwn',
  summary: 'Explain how a question is answered',
  description: 'In the view of the caller, without SQL.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...modelPathParameters,
    explain: z
      .strictObject({
        query: KmQueryDataRequest,
        record: z.string().max(200).optional().describe('At the level of this record; of the model when absent.'),
      })
      .meta({ id: 'ExplainOwnQuery' }),
  }),
  reply: z.object({
    words: text.describe('The question as a sentence, by the names of the model.'),
    grain: z.array(text).describe('The records whose rows are counted or aggregated.'),
    plan: z.json().describe('The decisions: records, joins, filters, groups.'),
    policies: z.array(text).describe('What restricts the caller: `rows of RECORD`, `fields of RECORD`.'),
  }),
  failures: ['KM_RECORD_NOTFOUND', ...modelQueryFailureCodes],
  http: { group: 'D', method: 'post', path: `${modelByIdPrefix}/explain`, body: 'explain' },
});

export const readEvidence = operation({
  owner: 'knowledge-models',
  name: 'knowledge.evidence.read',
  summary: 'Read the evidence of an answer',
  description:
    'For whoever may read the model and everything that the question names; for everybody else there is no record. Rows are not kept.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 15_000,
  request: z.strictObject({ ...evidencePathParameters }),
  reply: z.object({
    statement: EvidenceStatement,
    result: EvidenceResult.optional().describe(
      'Absent for a reader who sees other rows or fields than the one who asked.',
    ),
    words: text.describe('The question as a sentence, by the names of the model.'),
    plan: z.json().describe('How the question is answered: records, joins, filters, groups.'),
    sql: z
      .object({ text, parameters: z.array(z.json()) })
      .optional()
      .describe(
        `As it would be sent for the reader; with the further scope \`${explainScope}\` alone, and never without \`result\`.`,
      ),
    rows: z
      .array(z.object({ record: text, href: z.url() }))
      .describe(
        'Where the rows behind the answer are read, by the records that are counted or aggregated; none without `result`.',
      ),
    documents: z
      .array(DocumentOfFigure)
      .optional()
      .describe(
        'What content says is measured by these KPIs, as it was released then; not without the scope `content:read`.',
      ),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: evidenceByIdPrefix },
});

const ChangeReason = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('data'),
      table: text,
      before: text.optional().describe('The data version; absent when nobody tells one.'),
      now: text.optional(),
    }),
    z.object({
      kind: z.literal('model'),
      before: z.int().min(1),
      now: z.int().min(1),
      changes: z.array(DefinitionDifference).describe('What differs between the two versions.'),
    }),
    z.object({
      kind: z.literal('rights'),
      before: z.array(text).describe('The policies of the one who asked.'),
      now: z.array(text).describe('Those of the reader.'),
    }),
  ])
  .meta({ id: 'ChangeReason' });
export type ChangeReason = z.output<typeof ChangeReason>;

export const replayEvidence = operation({
  owner: 'knowledge-models',
  name: 'knowledge.evidence.replay',
  summary: 'Ask the question of an evidence record again',
  description:
    'Of the data and the model as they are now, for a reader who may read the result of the record; everybody else is told what else is not as it was.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...evidencePathParameters }),
  reply: z.object({
    outcome: z
      .enum(['same', 'changed'])
      .optional()
      .describe(
        '`same`: the same rows, byte for byte. Absent, like `before` and `now`, for a reader who sees other rows or fields than the one who asked: the question is not asked then.',
      ),
    reasons: z.array(ChangeReason).describe('What is not as it was; of an answer that is the same, too.'),
    before: EvidenceResult.optional(),
    now: EvidenceResult.omit({ salt: true }).optional().describe('Absent when the question cannot be asked any more.'),
    failure: z.object({ code: text, detail: text }).optional().describe('Why it cannot be asked any more.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'D', method: 'post', path: `${evidenceByIdPrefix}/replay` },
});
