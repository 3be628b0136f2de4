/** Evidence as a signed document, which can be checked without the product. */
import { z } from 'zod';
import { canonicalJson } from '../digest.js';
import { evidencePathParameters, evidencePrefix, readEvidence } from '../knowledge-models/evidence.js';
import { operation, renderedReply } from '../operation.js';

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
      keys: z
        .url()
        .describe(
          'Where this installation publishes its keys: the address `installation` of the statement, and the path.',
        ),
      value: z.string().describe('Base64url; over the canonical JSON of the document without `signature`, in UTF-8.'),
    }),
  })
  .meta({ id: 'ExportedEvidence' });
export type ExportedEvidence = z.output<typeof ExportedEvidence>;

/** The bytes that are signed: everything but the signature. */
export const signedBytesOf = (document: Readonly<Record<string, unknown>>): Buffer =>
  Buffer.from(canonicalJson({ ...document, signature: undefined }));

/** The only text of a document that counts as signed; what a reader of JSON may take otherwise is not in it. */
export const exportedTextOf = (document: object): string => canonicalJson(document);

export const exportEvidence = operation({
  owner: 'gateway',
  name: 'gateway.evidence.export',
  summary: 'Export the evidence of an answer',
  description:
    'What the caller may read of the record, signed, as canonical JSON; `tessera evidence verify` checks it, byte for byte, without the product.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({ ...evidencePathParameters }),
  reply: renderedReply(ExportedEvidence),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: `${evidencePrefix}/{evidence_id}/export` },
});
