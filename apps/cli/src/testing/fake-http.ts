/** HTTP of the fake gateway: requests by their bindings, and answers whole or in pieces. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fillPath, idempotencyHeader, type HttpOperation } from '@tessera/contracts';

export const pathPatternOf = ({ http }: HttpOperation): RegExp =>
  new RegExp(`^${fillPath(http, (member) => `(?<${member}>[^/]+)`)}$`);

export const readBodyText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
};

/** Members that are no text of the path or the query. */
export const nonTextMembersOf = (
  { http }: HttpOperation,
  { pageSize, draft, fromTurn, turnsMax }: Readonly<Record<string, string>>,
  sent: IncomingMessage['headers'],
  body: unknown,
): object => {
  const headers = Object.entries(http.headers ?? {}).filter(([, name]) => name.toLowerCase() !== idempotencyHeader);
  return {
    ...(pageSize !== undefined && { pageSize: Number(pageSize) }),
    ...(fromTurn !== undefined && { fromTurn: Number(fromTurn) }),
    ...(turnsMax !== undefined && { turnsMax: Number(turnsMax) }),
    ...(draft !== undefined && { draft: draft === 'true' }),
    ...Object.fromEntries(headers.map(([member, name]) => [member, sent[name.toLowerCase()]])),
    ...(http.body !== undefined && { [http.body]: body }),
  };
};

export const sendChunks = async (response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> => {
  response.writeHead(200);
  for await (const piece of pieces) response.write(piece);
  response.end();
};

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  const wait =
    typeof body === 'object' && body !== null && 'retryAfterSeconds' in body
      ? Number(body.retryAfterSeconds)
      : undefined;
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': 'request-1',
    ...(wait !== undefined && { 'retry-after': String(wait) }),
  });
  response.end(JSON.stringify(body));
};
