/** Sends requests that no HTTP client would send, each on its own connection, and reads the answer. */
import { connect } from 'node:net';
import type { HostileRequest } from './hostile-requests.js';

export type HostileAnswer = {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly head: string;
  /** The first of it, as it came. */
  readonly body: string;
  readonly bodyBytes: number;
};

const timeoutMs = 60_000;
const keptBytes = 256 * 1024;

export const sendHostileRequest = (
  gateway: string,
  key: string | undefined,
  request: HostileRequest,
): Promise<HostileAnswer> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(gateway);
    const body = request.body?.();
    const headers: Readonly<Record<string, string>> = {
      Host: `${hostname}:${port}`,
      ...(key !== undefined && { AppKey: key }),
      Accept: 'application/json, text/event-stream',
      ...request.headers,
      ...(body && { 'Content-Length': String(body.length) }),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let bytes = 0;
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', (chunk) => {
      if (bytes < keptBytes) chunks.push(chunk);
      bytes += chunk.length;
    });
    // Who refuses a body before it came to its end resets the connection behind its answer.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answerOf(Buffer.concat(chunks), bytes)));
    socket.write(
      Buffer.from([`${request.method} ${request.target} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1'),
    );
    if (body) socket.write(body);
  });

const answerOf = (kept: Buffer, bytes: number): HostileAnswer => {
  const text = kept.toString();
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: end < 0 ? '' : text.slice(end + 4),
    bodyBytes: Math.max(0, bytes - Buffer.byteLength(head) - 4),
  };
};
