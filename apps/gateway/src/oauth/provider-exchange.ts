/**
 * One request to oidc-provider within the edge: it works on the request and the response of Node, and its answer is sent like every other
 * one, with the headers of the edge.
 */
import { IncomingMessage } from 'node:http';
import type { FoundOAuthToken } from '@tessera/persistence/gateway';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';

/** What is known of a request while it runs. */
export class ProviderExchange {
  answer: { readonly status: number; readonly body: unknown } | undefined;
  /** A bug, or a database that is away. */
  failure: Error | undefined;
  /** Why the client was refused. */
  refusal: errors.OIDCProviderError | undefined;
  /** The client whose request for authorization was refused before a person has decided about it. */
  unaskedClientId: string | undefined;
  /** The code or refresh token that the client sent. */
  token: FoundOAuthToken | undefined;

  constructor(readonly edge: FastifyRequest) {}
}

const exchanges = new WeakMap<IncomingMessage, ProviderExchange>();

/** Undefined when the library was called for nobody's request. */
export const exchangeOf = (request: IncomingMessage): ProviderExchange | undefined => exchanges.get(request);

/** Its answers are not sent by Koa; what breaks inside is for the caller. */
export const recordExchanges = (provider: Provider): void => {
  provider.use(async (ctx, next) => {
    const exchange = exchanges.get(ctx.req);
    ctx.respond = false;
    try {
      await next();
    } catch (error) {
      if (exchange) exchange.failure = error instanceof Error ? error : new Error(String(error));
    }
    if (exchange) exchange.answer = { status: ctx.status, body: ctx.body };
  });
  provider.on('server_error', ({ req }, error) => {
    const exchange = exchanges.get(req);
    if (exchange) exchange.failure = error;
  });
  const onRefusal = ({ req, oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void => {
    const exchange = exchanges.get(req);
    if (!exchange) return;
    exchange.refusal = error;
    const { Client, Interaction } = oidc.entities;
    if (Interaction?.result === undefined) exchange.unaskedClientId = Client?.clientId;
  };
  provider.on('grant.error', onRefusal).on('authorization.error', onRefusal).on('registration_create.error', onRefusal);
};

/** A body that was read already. */
type ReadBody = { readonly type: string; readonly text: string };

/** Sends nothing yet. Rejects with what broke inside. */
export const askProvider = async (
  handle: ReturnType<Provider['callback']>,
  edge: FastifyRequest,
  reply: FastifyReply,
  body?: ReadBody,
): Promise<ProviderExchange> => {
  const message = body ? new RepeatedMessage(edge.raw, body) : edge.raw;
  const exchange = new ProviderExchange(edge);
  exchanges.set(message, exchange);
  await handle(message, reply.raw);
  takeHeaders(reply);
  if (exchange.failure) throw exchange.failure;
  return exchange;
};

export const sendAnswer = (reply: FastifyReply, { answer }: ProviderExchange): FastifyReply => {
  const { status = 500, body } = answer ?? {};
  return reply.code(status).send(typeof body === 'object' && body !== null ? JSON.stringify(body) : (body ?? ''));
};

/** A request whose body was read before it was known who answers it. */
class RepeatedMessage extends IncomingMessage {
  constructor(original: IncomingMessage, { type, text }: ReadBody) {
    super(original.socket);
    const { method, url, headers } = original;
    Object.assign(this, { method, url, complete: true });
    this.headers = { ...headers, 'content-type': type, 'content-length': String(Buffer.byteLength(text)) };
    delete this.headers['transfer-encoding'];
    this.push(text);
    this.push(null);
  }

  /** All of it is here: the connection is left alone. */
  override _read(): void {}
}

/** CORS is answered for the whole edge. */
const ownHeader = /^(?:access-control-.*|vary|content-length)$/;

/** From the response of Node to the reply; the session cookie of oidc-provider, under which nothing is kept, goes nowhere. */
const takeHeaders = (reply: FastifyReply): void => {
  for (const [name, value] of Object.entries(reply.raw.getHeaders())) {
    reply.raw.removeHeader(name);
    if (value === undefined || ownHeader.test(name)) continue;
    if (name === 'set-cookie') setCookies(reply, [value].flat().map(String));
    else void reply.header(name, value);
  }
};

export const unusedCookie = 'tessera-oauth';
const setCookies = (reply: FastifyReply, lines: readonly string[]): void => {
  for (const line of lines) if (!line.startsWith(unusedCookie)) void reply.header('set-cookie', line);
};
