import { z } from 'zod';
import { operation, renderedReply } from '../operation.js';
import { odataPrefix } from './odata.js';
import { maxFilterLength, modelPathParameters } from './parts.js';

const partId = z.string().min(1).max(128);
const partsMax = 100;
/** A filter whose characters are all escaped, each as nine at most, and what else an address has. */
const urlLengthMax = 9 * maxFilterLength + 32_000;

const BatchPart = z
  .strictObject({
    id: partId.describe('Told again by its answer; each once.'),
    method: z.string().max(20).describe('`get`, in any case.'),
    url: z
      .string()
      .min(1)
      .max(urlLengthMax)
      .describe('From the address of the service on, or a whole path or address of the same service.'),
    headers: z
      .record(z.string().max(200), z.string().max(8_000))
      .optional()
      .describe('All but credentials other than that of the batch.'),
    atomicityGroup: partId.optional().describe('A name of parts that stand behind each other.'),
    dependsOn: z
      .array(partId)
      .max(partsMax)
      .optional()
      .describe('Parts and groups before this one, which runs only when they succeeded.'),
    if: z.string().optional().describe('Not supported.'),
    body: z.unknown().optional().describe('Not supported, since nothing is written.'),
  })
  .meta({ id: 'odataBatchPart' });
export type BatchPart = z.output<typeof BatchPart>;

const BatchRequest = z.strictObject({ requests: z.array(BatchPart).max(partsMax) }).meta({
  id: 'odataBatch',
  examples: [{ requests: [{ id: '1', method: 'get', url: '$metadata', headers: { accept: 'application/xml' } }] }],
});

const BatchReply = z
  .object({
    responses: z.array(
      z.object({
        id: z.string(),
        atomicityGroup: z.string().optional(),
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        body: z.unknown().optional().describe('JSON as it is, other text as a string, all else as base64url.'),
      }),
    ),
  })
  .meta({ id: 'odataBatchReply' });

/** Each part is a request of its own: for the rate limit, for what its caller may see, and in its bounds. */
export const sendODataBatch = operation({
  owner: 'gateway',
  name: 'gateway.odata.batch',
  summary: 'Send several OData requests at once',
  description:
    'They run side by side, and are answered in the order in which they end. Also as `multipart/mixed`, in the order of the parts.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 30_000,
  request: z.strictObject({
    km_id: modelPathParameters.km_id,
    prefer: z
      .string()
      .max(2_000)
      .optional()
      .describe('`continue-on-error`: parts begin also after one of them failed.'),
    batch: BatchRequest,
  }),
  reply: renderedReply(BatchReply, ['application/json']),
  failures: ['GENERAL_MEDIATYPE_UNSUPPORTED'],
  http: {
    group: 'D',
    method: 'post',
    path: `${odataPrefix}/$batch`,
    body: 'batch',
    hasLargeBody: true,
    headers: { prefer: 'prefer' },
    isOData: true,
  },
});
