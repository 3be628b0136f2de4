/** The HTTP interface of ClickHouse as far as the product's client sees it: a spec says what is answered, and sees what was sent. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type ClickhouseCall = {
  readonly query: string;
  /** Rows of an insert. */
  readonly body: string;
  /** Of the address and of a form: settings and parameters. */
  readonly fields: ReadonlyMap<string, string>;
  readonly authorization: string;
};

/** `false`: it is not answered at all. */
export type ClickhouseAnswer =
  | string
  | { readonly status: number; readonly code: string; readonly text: string }
  | false;

export type FakeClickhouse = {
  readonly url: string;
  readonly calls: readonly ClickhouseCall[];
  /** Calls that the client has left before they were answered. */
  readonly abandoned: () => number;
  readonly stop: () => Promise<void>;
};

export const startFakeClickhouse = async (
  answerTo: (call: ClickhouseCall) => ClickhouseAnswer | Promise<ClickhouseAnswer>,
): Promise<FakeClickhouse> => {
  const calls: ClickhouseCall[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) abandoned += 1;
    });
    void (async () => {
      const call = await readCall(request);
      calls.push(call);
      const answer = await answerTo(call);
      if (answer === false) return;
      if (typeof answer === 'string') response.end(answer);
      else response.writeHead(answer.status, { 'x-clickhouse-exception-code': answer.code }).end(answer.text);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://reader:s%40crt@127.0.0.1:${port}/copies`,
    calls,
    abandoned: () => abandoned,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const readCall = async (request: IncomingMessage): Promise<ClickhouseCall> => {
  const fields = new Map(new URL(request.url ?? '', 'http://localhost').searchParams);
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const body = await buffer(request);
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value);
  }
  const text = body.toString('utf8');
  return { query: fields.get('query') ?? text, body: text, fields, authorization };
};

/** As the server words an error, with a value of a row in it. */
export const serverError = (code: string, type: string, status = 500): ClickhouseAnswer => ({
  status,
  code,
  text: `Code: ${code}. DB::Exception: something with the value 'SECRET-ROW': in scope SELECT. (${type}) (version 26.7.2.1)\n`,
});
