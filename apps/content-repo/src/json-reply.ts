/** Byte replies of JSON. Refuses: to render elements; those are text already. */
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';

export const jsonType = 'application/json; charset=utf-8';

export const jsonReply = (value: unknown): Result<ByteReply> => jsonText(JSON.stringify(value));

export const jsonText = (text: string): Result<ByteReply> =>
  succeed({ contentType: jsonType, body: Buffer.from(text) });
