/** How the answers of a batch are written: in JSON, or as parts of `multipart/mixed`. */
import type { BatchPart } from '@tessera/contracts/knowledge-models';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

export type BatchPartAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array> | string;
};

export type BatchFormat = {
  readonly contentType: string;
  /** Whether answers come in the order of the parts, or each as soon as it is there. */
  readonly isOrdered: boolean;
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
  readonly write: (part: BatchPart, answer: BatchPartAnswer) => AsyncIterableIterator<Uint8Array>;
};

export const jsonBatchFormat: BatchFormat = {
  contentType: 'application/json;charset=utf-8',
  isOrdered: false,
  opening: '{"responses":[',
  separator: ',',
  closing: ']}',
  async *write({ id, atomicityGroup }, answer) {
    const { status, headers } = answer;
    const head = { id, ...(atomicityGroup !== undefined && { atomicityGroup }), status, headers };
    yield Buffer.from(JSON.stringify(head).slice(0, -1));
    yield* jsonBody(answer);
    yield Buffer.from('}');
  },
};

/** With a boundary of its own. Clients of OData 4.0 find the answer of a part by its place. */
export const createMultipartBatchFormat = (): BatchFormat => {
  const boundary = `batch_${randomUUID()}`;
  return {
    contentType: `multipart/mixed; boundary=${boundary}`,
    isOrdered: true,
    opening: '',
    separator: '',
    closing: `--${boundary}--\r\n`,
    async *write({ id }, { status, headers, body }) {
      const lines = [
        `--${boundary}`,
        ...['Content-Type: application/http', 'Content-Transfer-Encoding: binary', `Content-ID: ${id}`, ''],
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        ...['', ''],
      ];
      yield Buffer.from(lines.join('\r\n'));
      if (typeof body === 'string') yield Buffer.from(body);
      else yield* body;
      yield Buffer.from('\r\n');
    },
  };
};

/** JSON as it is, other text as a string, all else as base64url. */
async function* jsonBody({ headers, body }: BatchPartAnswer): AsyncIterableIterator<Uint8Array> {
  const type = headers['content-type'] ?? '';
  if (typeof body === 'string') yield Buffer.from(`,"body":${body}`);
  else if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    yield Buffer.from(',"body":');
    yield* body;
  } else if (type.startsWith('text/')) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    yield Buffer.from(`,"body":${JSON.stringify(Buffer.concat(chunks).toString())}`);
  } else if (type !== '') yield* inBase64(body);
}

async function* inBase64(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  yield Buffer.from(',"body":"');
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield Buffer.from(bytes.subarray(0, whole).toString('base64url'));
    rest = bytes.subarray(whole);
  }
  yield Buffer.from(`${rest.toString('base64url')}"`);
}
