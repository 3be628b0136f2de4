/**
 * Speaks the HTTP interface of ClickHouse, as much of it as the product uses, for an engine in this process: statements one after the
 * other, in the body of a request or in a form, with parameters and settings, and rows to insert. Started by `clickhouse-server.ts`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

type Session = {
  readonly query: (text: string, format?: string) => string;
  readonly queryBind: (text: string, parameters: object, format?: string) => string;
  readonly insert: (rows: {
    readonly table: string;
    readonly values: Buffer;
    readonly format: string;
    readonly settings: Readonly<Record<string, string>>;
  }) => Promise<unknown>;
};
type Engine = { readonly Session: new () => Session };

const [, , folder = '', user = '', password = '', database = ''] = process.argv;
const engine: Engine = createRequire(join(folder, 'package.json'))('chdb');
const session = new engine.Session();
session.query(`create database ${database}`);
session.query(`use ${database}`);

/** Of HTTP, and what the engine in a process has another word for. */
const withoutSettings =
  /^(?:query|query_id|database|session_id|role|wait_end_of_query|cancel_http_readonly_queries_on_client_close)$/;
const formatSetting = /^(?:input_format|format|date_time_input)_/;

const unescape = (text: string): string =>
  text.replaceAll(/\\([^])/g, (_, character: string) => ({ t: '\t', n: '\n', r: '\r' })[character] ?? character);

class HttpFailure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Call = { readonly query: string; readonly body: Buffer; readonly fields: ReadonlyMap<string, string> };

const readCall = async (request: IncomingMessage): Promise<Call> => {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const { authorization, 'content-type': type = '' } = request.headers;
  const body = await buffer(request);
  if (authorization !== expected)
    throw new HttpFailure(403, `Code: 516. DB::Exception: ${user}: Authentication failed. (AUTHENTICATION_FAILED)`);
  const fields = new Map(new URL(request.url ?? '', 'http://localhost').searchParams);
  if (fields.get('database') !== database)
    throw new HttpFailure(404, 'Code: 81. DB::Exception: Database does not exist. (UNKNOWN_DATABASE)');
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value);
  }
  return { query: fields.get('query') ?? body.toString('utf8'), body, fields };
};

const answerCall = async ({ query, body, fields }: Call): Promise<string> => {
  const settings = [...fields].filter(([name]) => !withoutSettings.test(name) && !name.startsWith('param_'));
  const [, table, format] = /^insert into (\S+) format (\w+)$/i.exec(query.trim()) ?? [];
  if (table !== undefined && format !== undefined) {
    const formatSettings = Object.fromEntries(settings.filter(([name]) => formatSetting.test(name)));
    await session.insert({ table, values: body, format, settings: formatSettings });
    return '';
  }
  for (const [name, value] of settings) session.query(`set ${name} = '${value}'`);
  const parameters = [...fields]
    .filter(([name]) => name.startsWith('param_'))
    .map(([name, value]) => [name.slice('param_'.length), unescape(value)]);
  return parameters.length > 0 ? session.queryBind(query, Object.fromEntries(parameters)) : session.query(query);
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  try {
    const answered = await answerCall(await readCall(request));
    response.writeHead(200, { 'content-type': 'text/plain; charset=UTF-8' }).end(answered);
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^[^:]*: (?=Code: )/, '') : String(error);
    const code = /^Code: (\d+)/.exec(message)?.[1] ?? '0';
    const status = error instanceof HttpFailure ? error.status : code === '60' ? 404 : 500;
    response.writeHead(status, { 'x-clickhouse-exception-code': code }).end(`${message}\n`);
  }
};

let turn: Promise<void> = Promise.resolve();
const server = createServer((request, response) => {
  turn = turn.then(() => answer(request, response));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({
    port: typeof address === 'object' && address ? address.port : 0,
    version: session.query('select version()', 'TabSeparated').trim(),
  });
});
process.on('disconnect', () => process.exit());
