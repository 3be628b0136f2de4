/** JSON as an operation answers it: a value, or text that is JSON already. */
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';

export const jsonType = 'application/json; charset=utf-8';

type Headers = Readonly<Record<string, string>>;

export const jsonReply = (value: unknown, headers?: Headers): Result<ByteReply> =>
  jsonText(JSON.stringify(value), headers);

export const jsonText = (text: string, headers?: Headers): Result<ByteReply> =>
  succeed({ contentType: jsonType, ...(headers && { headers }), body: Buffer.from(text) });
