/**
 * An issuer of an operator, as a public implementation makes it: people sign in at its page by their name alone, and it tells programs
 * who signs out. It is at 127.0.0.1, which is another site to the browser than the gateway's localhost.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { findFreePort } from '@tessera/local-stack';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';

export type ForeignIssuer = {
  readonly url: string;
  /** From now on another key signs, and the keys before it are not published any more. */
  readonly rotateKeys: () => void;
  /** When somebody last read the published keys, in epoch milliseconds. */
  readonly keysReadAtMs: () => number;
  readonly stop: () => void;
};

const signInPath = '/people';

const configurationOf = (clients: readonly ClientMetadata[]): Configuration => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [...clients],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['the same for all keys'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: showSignOut, postLogoutSuccessSource: showSignedOut },
    },
    ttl: { AccessToken: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // Its own fetch would refuse this machine.
    fetch: (url, { method = 'GET', headers = {}, body = null, signal = null }: RequestInit = {}) =>
      fetch(url, { method, headers, body, signal }),
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, name: accountId }) }),
    interactions: { url: (_context, { uid }) => `${signInPath}/${uid}` },
    loadExistingGrant: grantEverything,
  };
};

/** People have been asked by the operator already. */
const grantEverything: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  const grant = new oidc.provider.Grant({ accountId: oidc.session?.accountId, clientId: oidc.client?.clientId });
  grant.addOIDCScope('openid profile email offline_access');
  await grant.save();
  return grant;
};

const pageOf = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${content}</main></html>`;

const signInPage = pageOf(
  'Who are you?',
  '<form method="post"><label>Name <input name="name"></label> <button>Continue</button></form>',
);

/** `form` is the one that the button below belongs to. */
const showSignOut = (context: { body: unknown }, form: string): void => {
  const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
  context.body = pageOf('Sign out?', form + button);
};

const showSignedOut = (context: { body: unknown }): void => {
  context.body = pageOf('Signed out', '');
};

const answerSignIn = async (provider: Provider, request: IncomingMessage, answer: ServerResponse): Promise<void> => {
  if (request.method !== 'POST') {
    answer.writeHead(200, { 'Content-Type': 'text/html' }).end(signInPage);
    return;
  }
  const accountId = new URLSearchParams(await text(request)).get('name') ?? '';
  await provider.interactionFinished(request, answer, { login: { accountId } });
};

/** For the programs `clients`, as OpenID Connect describes them. */
export const startForeignIssuer = async (clients: readonly ClientMetadata[]): Promise<ForeignIssuer> => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const newProvider = (): Provider => new Provider(url, configurationOf(clients));
  let provider = newProvider();
  let keysReadAtMs = 0;
  const server = createServer((request, answer) => {
    if (request.url === '/jwks') keysReadAtMs = Date.now();
    if (request.url?.startsWith(signInPath)) void answerSignIn(provider, request, answer);
    else void provider.callback()(request, answer);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url,
    keysReadAtMs: () => keysReadAtMs,
    rotateKeys: () => {
      provider = newProvider();
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
