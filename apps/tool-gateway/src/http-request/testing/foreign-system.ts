/** A foreign system for specs: an HTTP server on a free port that keeps what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type ForeignRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type ForeignSystem = {
  readonly address: string;
  readonly port: number;
  readonly requests: ForeignRequest[];
  /** What the next requests are answered with. */
  answer: (response: ServerResponse, request: ForeignRequest) => void;
  readonly stop: () => Promise<void>;
};

const portOf = (server: { readonly address: () => AddressInfo | string | null }): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

export const startForeignSystem = async (): Promise<ForeignSystem> => {
  const requests: ForeignRequest[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      requests.push(one);
      system.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  const system: ForeignSystem = {
    ...{ address: `http://127.0.0.1:${port}`, port, requests },
    answer: respondWithJson({ ok: true }),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return system;
};

export const respondWithJson =
  (value: unknown, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
