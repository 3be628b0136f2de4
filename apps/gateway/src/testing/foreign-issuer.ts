/**
 * The issuer of an operator: a real `oidc-provider`, at another site than the gateway, whose person signs in without a page. Its keys can
 * be rotated, what it answers can be changed on the way, and it can be away.
 */
import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SignJWT, type JWTPayload } from 'jose';
import Provider, { type InteractionResults } from 'oidc-provider';

export const issuerClient = { id: 'tessera', secret: 'a secret of the client, for the specs' };

export type ForeignIssuer = {
  readonly url: string;
  /** Who is at the browser; undefined denies. */
  person: string | undefined;
  /** What becomes of an ID token on its way; it is signed anew. */
  changeIdToken: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** While it is set, every request is answered so. */
  answerInstead: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  readonly requests: string[];
  /** The installations that may ask it; before the first there is no issuer at all. */
  readonly serve: (...publicUrls: readonly string[]) => void;
  /** New keys sign from now on; `isPublished`: whether anybody learns of them. */
  readonly rotate: (isPublished?: boolean) => void;
  readonly sign: (claims: JWTPayload, type?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

type SigningPair = { readonly kid: string; readonly privateKey: KeyObject; readonly jwk: object };

const newPair = (): SigningPair => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  return { kid, privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } };
};

const clientsOf = (publicUrls: readonly string[]) => [
  {
    client_id: issuerClient.id,
    client_secret: issuerClient.secret,
    redirect_uris: publicUrls.map((url) => `${url}/sign-in/callback`),
    post_logout_redirect_uris: publicUrls.map((url) => `${url}/sign-out`),
    backchannel_logout_uri: `${publicUrls[0]}/sign-in/back-channel-logout`,
    backchannel_logout_session_required: true,
    id_token_signed_response_alg: 'ES256' as const,
  },
];

const interact = async (
  provider: Provider,
  person: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const result: InteractionResults =
    person === undefined
      ? { error: 'access_denied', error_description: 'the person said no' }
      : { login: { accountId: person } };
  await provider.interactionFinished(request, response, result);
};

const signWith = ({ kid, privateKey }: SigningPair, claims: JWTPayload, typ = 'JWT'): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(privateKey);

/** The ID token in the answer is another one. */
const changeTokenResponse = (response: ServerResponse, change: (idToken: string) => Promise<string>): void => {
  const end = response.end.bind(response);
  const send = async (body: unknown): Promise<void> => {
    const answer = JSON.parse(String(body));
    if (answer.id_token) answer.id_token = await change(answer.id_token);
    const text = JSON.stringify(answer);
    response.setHeader('content-length', Buffer.byteLength(text));
    end(text);
  };
  Object.assign(response, { end: (body: unknown) => void send(body) });
};

const claimsOf = (token: string): JWTPayload =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const makeProvider = (url: string, { jwk }: SigningPair, publicUrls: readonly string[]): Provider =>
  new Provider(url, {
    clients: clientsOf(publicUrls),
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key of the specs'] },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // By itself it tells nobody on this machine that somebody has signed out.
    fetch: (address, { method = 'GET', headers = {}, body = null, signal = null }: RequestInit = {}) =>
      fetch(address, { method, headers, body, signal }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }) => {
      const [clientId, accountId] = [oidc.client?.clientId ?? '', oidc.session?.accountId ?? ''];
      const grant = new oidc.provider.Grant({ clientId, accountId });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });

export const startForeignIssuer = async (): Promise<ForeignIssuer> => {
  let pair = newPair();
  let publicUrls: readonly string[] = [];
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    issuer.requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (issuer.answerInstead) return issuer.answerInstead(request, response);
    if (!provider) return void response.writeHead(503).end();
    if (request.url?.startsWith('/interaction/'))
      return void interact(provider, issuer.person, request, response).catch(() => response.writeHead(500).end());
    const { changeIdToken } = issuer;
    if (request.url === '/token' && changeIdToken)
      changeTokenResponse(response, (idToken) => signWith(pair, changeIdToken(claimsOf(idToken))));
    return void provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const issuer: ForeignIssuer = {
    ...{ url, requests: [], person: 'sub-anna', changeIdToken: undefined, answerInstead: undefined },
    sign: (claims, type) => signWith(pair, claims, type),
    serve: (...urls) => {
      publicUrls = urls;
      provider = makeProvider(url, pair, publicUrls);
    },
    rotate: (isPublished = true) => {
      pair = newPair();
      if (isPublished) provider = makeProvider(url, pair, publicUrls);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
};
