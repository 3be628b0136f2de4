/** Evidence as a signed document, which can be checked without the product. */
import { z } from 'zod';
import { evidencePathParameters, evidencePrefix, readEvidence } from '../knowledge-models/evidence.js';
import { operation } from '../operation.js';

/** Where the public keys are that check signatures: a JSON Web Key Set. */
export const evidenceKeysPath = '/.well-known/tessera-evidence-keys';

/** As a record is read, but for what is only of the moment: the plan, SQL and addresses of rows. */
const exportedMembers = readEvidence.reply.pick({ statement: true, result: true, words: true, documents: true }).shape;

export const ExportedEvidence = z
  .object({
    ...exportedMembers,
    signature: z.object({
      algorithm: z.literal('Ed25519'),
      keyId: z.string(),
      keys: z.url().describe('Where this installation publishes its keys.'),
      value: z.string().describe('Base64url; over the canonical JSON of the document without `signature`, in UTF-8.'),
    }),
  })
  .meta({ id: 'ExportedEvidence' });
export type ExportedEvidence = z.output<typeof ExportedEvidence>;

export const exportEvidence = operation({
  owner: 'gateway',
  name: 'gateway.evidence.export',
  summary: 'Export the evidence of an answer',
  description:
    'What the caller may read of the record, signed; `tessera evidence verify` checks it without the product.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...evidencePathParameters }),
  reply: ExportedEvidence,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: `${evidencePrefix}/{evidence_id}/export` },
});
