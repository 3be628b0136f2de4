/**
 * A mock of the demo's ERP: a small server that blocks invoices for payment and lists them, for requests with its
 * token. It keeps nothing after the launcher ends.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { erpHost, erpSecretName } from '@tessera/demo-company';
import { StartError } from '@tessera/local-stack';

const erpTeams = ['meridian'];

export const withMockErpSettings = (
  environment: NodeJS.ProcessEnv,
  { address, token }: MockErp,
): NodeJS.ProcessEnv => ({
  HTTP_TOOL_HOSTS: withEntry(environment['HTTP_TOOL_HOSTS'], erpHost, { teams: erpTeams, address }),
  TOOL_SECRETS: withEntry(environment['TOOL_SECRETS'], erpSecretName, {
    teams: erpTeams,
    hosts: [erpHost],
    value: token,
  }),
});

const withEntry = (text: string | undefined, name: string, entry: object): string => {
  if (text === undefined || text.trim() === '') return JSON.stringify({ [name]: entry });
  try {
    const entries: unknown = JSON.parse(text);
    const isByName = typeof entries === 'object' && entries !== null && !Array.isArray(entries);
    return isByName ? JSON.stringify({ [name]: entry, ...entries }) : text;
  } catch {
    return text;
  }
};

export type MockErp = {
  readonly address: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
};

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
type Blocks = Map<string, string>;

const bodySizeMax = 10_000;
/** Where the numbers of the demo's invoices begin. */
const invoicePath = /^\/invoices\/(51\d{8})(\/block)?$/;

export const startMockErp = async (token: string): Promise<MockErp> => {
  const blocks: Blocks = new Map();
  const server = createServer((request, response) => {
    void answerTo(request, token, blocks).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address !== 'object')
    throw new StartError('The ERP of the demo has no port.', 'TESSERA_DEMO');
  return {
    address: `http://127.0.0.1:${address.port}`,
    token,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

const answerTo = async (request: IncomingMessage, token: string, blocks: Blocks): Promise<Answer> => {
  if (!hasToken(request, token)) return { status: 401, body: { error: 'The token is missing or wrong.' } };
  const [, invoiceNo, action] = invoicePath.exec(request.url ?? '') ?? [];
  if (invoiceNo === undefined) return { status: 404, body: { error: 'There is no such invoice.' } };
  if (action === undefined)
    return request.method === 'GET' ? { status: 200, body: stateOf(invoiceNo, blocks) } : notAllowed;
  if (request.method !== 'POST') return notAllowed;
  const reason = reasonIn(await textOf(request));
  if (reason === undefined) return { status: 400, body: { error: 'Expected {"reason": "..."}.' } };
  // Who blocks a second time gets what is there: the first reason stays.
  if (!blocks.has(invoiceNo)) blocks.set(invoiceNo, reason);
  return { status: 200, body: stateOf(invoiceNo, blocks) };
};

const notAllowed: Answer = { status: 405, body: { error: 'Expected GET of an invoice, or POST of its block.' } };

/** More than a tool needs; what its schema does not know does not reach the caller. */
const stateOf = (invoiceNo: string, blocks: Blocks) => {
  const reason = blocks.get(invoiceNo);
  const system = { client: '100', documentType: 'RE' };
  return { invoiceNo, ...(reason === undefined ? { status: 'released' } : { status: 'blocked', reason }), system };
};

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const hasToken = ({ headers }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digestOf(headers.authorization ?? ''), digestOf(`Bearer ${token}`));

const textOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: AsyncIterable<Buffer> = request;
  let text = '';
  for await (const piece of pieces) {
    text += piece.toString('utf8');
    if (text.length > bodySizeMax) return '';
  }
  return text;
};

const reasonIn = (text: string): string | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined;
    return typeof reason === 'string' && reason !== '' ? reason : undefined;
  } catch {
    return undefined;
  }
};
