/** JSON as an operation answers it: a value, a list, or text that is JSON already. */
import type { ByteReply } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';

export const jsonType = 'application/json; charset=utf-8';

type Headers = Readonly<Record<string, string>>;

export const jsonReply = (value: unknown, headers?: Headers): Result<ByteReply> =>
  jsonText(JSON.stringify(value), headers);

export const jsonText = (text: string, headers?: Headers): Result<ByteReply> =>
  succeed({ contentType: jsonType, ...(headers && { headers }), body: Buffer.from(text) });

export type ApiVersion = '1.0' | '4.0';

/** What a list is called. */
export const listName = (apiVersion: ApiVersion): 'values' | 'elements' =>
  apiVersion === '1.0' ? 'values' : 'elements';
