/** A client that acts for people and the browser of one person, for specs: registers, asks, reads the pages, decides, fetches tokens. */
import { createHash, randomBytes } from 'node:crypto';
import { listAccessChanges } from '@tessera/contracts/gateway';
import type { Answer, RequestOptions, TestStack } from './test-stack.js';
import type { TestGateway } from './test-gateway.js';

export const redirect = 'http://127.0.0.1:33418/callback';
export const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

export type OAuthClient = { readonly clientId: string; readonly secret?: string };

const pageHeaders = { 'Sec-Fetch-Site': 'same-origin' };
export const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Keeps cookies as a browser does, with their paths; follows nothing by itself. */
export class TestBrowser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  constructor(
    private readonly stack: TestStack,
    readonly gateway: TestGateway = stack.gateway,
  ) {}

  async signIn(user: string, password: string, team = 'meridian'): Promise<void> {
    const answer = await this.ask('/session', {
      method: 'POST',
      body: { team, user, password },
      headers: { ...pageHeaders, 'X-Tessera-Request': '1' },
    });
    if (answer.status !== 200) throw new Error(`${user} could not sign in: ${answer.text}`);
  }

  /** The same cookies at another gateway. */
  at(gateway: TestGateway): TestBrowser {
    const other = new TestBrowser(this.stack, gateway);
    for (const [name, cookie] of this.#cookies) other.#cookies.set(name, cookie);
    return other;
  }

  /** A header with an empty value is not sent. */
  async ask(path: string, { headers, ...more }: RequestOptions = {}): Promise<Answer> {
    const answer = await this.stack.request(path, {
      ...{ key: undefined, gateway: this.gateway, redirect: 'manual' },
      headers: sentOf({ ...pageHeaders, Cookie: this.cookiesFor(path), ...headers }),
      ...more,
    });
    for (const line of answer.headers.getSetCookie()) this.#take(line);
    return answer;
  }

  cookiesFor(path: string): string {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  #take(line: string): void {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' });
  }
}

const sentOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));

export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://localhost');
  return pathname + search;
};

export const locationOf = ({ headers }: Answer): string => headers.get('location') ?? '';

export const authorizationPath = ({ clientId }: OAuthClient, more: Readonly<Record<string, string>> = {}): string => {
  const parameters = {
    ...{ client_id: clientId, response_type: 'code', redirect_uri: redirect, state: 'a state' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', scope: 'tools:execute', ...more },
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return `/oauth2/authorize?${new URLSearchParams(given).toString()}`;
};

/** The fields of the form of a page. */
export const fieldsOf = ({ text }: Answer): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="(?:hidden|radio)" name="(\w+)" value="([^"]*)"( disabled)?/g)]
      .filter(([, , , disabled]) => disabled === undefined)
      .toReversed()
      .map(([, name = '', value = '']) => [name, value]),
  );

/** Where a page leads on by itself. */
export const nextOf = ({ text }: Answer): string => /content="0;url=([^"]+)"/.exec(text)?.[1] ?? '';

export const register = async (
  stack: TestStack,
  more: Readonly<Record<string, unknown>> = {},
  options: RequestOptions = {},
): Promise<Answer> =>
  stack.request('/oauth2/register', {
    ...{ method: 'POST', key: undefined },
    body: {
      ...{ client_name: 'Spec Client', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], ...more },
    },
    ...options,
  });

export const registered = async (
  stack: TestStack,
  more: Readonly<Record<string, unknown>> = {},
): Promise<OAuthClient> => {
  const { body, text } = await register(stack, more);
  if (typeof body?.['client_id'] !== 'string') throw new Error(`the client could not register: ${text}`);
  const secret = body['client_secret'];
  return { clientId: body['client_id'], ...(typeof secret === 'string' && { secret }) };
};

/** To the page that asks the person. */
export const askConsent = async (
  browser: TestBrowser,
  client: OAuthClient,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly page: Answer; readonly path: string }> => {
  const asked = await browser.ask(authorizationPath(client, more));
  if (asked.status !== 303) throw new Error(`the request was refused: ${asked.status} ${asked.text}`);
  const path = pathOf(locationOf(asked));
  return { path, page: await browser.ask(path) };
};

/** The address to which the person is sent back after the decision. */
export const decide = async (
  browser: TestBrowser,
  { page, path }: { readonly page: Answer; readonly path: string },
  more: Readonly<Record<string, string>> = {},
): Promise<URL> => {
  const fields = { ...fieldsOf(page), decision: 'allow', ...more };
  const decided = await browser.ask(path, {
    ...{ method: 'POST', body: new URLSearchParams(fields).toString(), headers: formHeaders },
  });
  if (decided.status !== 200) throw new Error(`the decision was refused: ${decided.status} ${decided.text}`);
  const back = await browser.ask(pathOf(nextOf(decided)));
  if (back.status !== 303) throw new Error(`the person was not sent back: ${back.status} ${back.text}`);
  return new URL(locationOf(back));
};

export const codeOf = async (
  browser: TestBrowser,
  client: OAuthClient,
  more: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const back = await decide(browser, await askConsent(browser, client, more));
  return back.searchParams.get('code') ?? `no code: ${back.href}`;
};

export const askToken = (
  stack: TestStack,
  { clientId, secret }: OAuthClient,
  fields: Readonly<Record<string, string>>,
  options: RequestOptions = {},
): Promise<Answer> =>
  stack.request('/oauth2/token', {
    ...{ method: 'POST', key: undefined },
    body: new URLSearchParams({ ...(secret === undefined && { client_id: clientId }), ...fields }).toString(),
    ...options,
    headers: {
      ...formHeaders,
      ...(secret !== undefined && {
        Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      }),
      ...options.headers,
    },
  });

export const exchangeCode = (
  stack: TestStack,
  client: OAuthClient,
  code: string,
  more: Readonly<Record<string, string>> = {},
  options: RequestOptions = {},
): Promise<Answer> =>
  askToken(
    stack,
    client,
    { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier, ...more },
    options,
  );

/** As the operators. */
export const administer = (stack: TestStack, path: string, method: string, body?: object): Promise<Answer> =>
  stack.request(path, { key: stack.keys.operator, method, ...(body && { body }) });

export const memberPath = (memberId: string, team = 'meridian'): string => `/admin/teams/${team}/members/${memberId}`;

/** An analyst, where nothing else is said. */
export const writeMember = async (stack: TestStack, memberId: string, more: object = {}, team = 'meridian') => {
  const properties = { displayName: 'Anna Weber', roles: ['analyst'], ...more };
  const { status, text } = await administer(stack, memberPath(memberId, team), 'PUT', properties);
  if (status !== 200) throw new Error(`${memberId} could not be written: ${text}`);
};

export const setPassword = async (stack: TestStack, memberId: string, password: string): Promise<void> => {
  const { status, text } = await administer(stack, `${memberPath(memberId)}/password`, 'PUT', { password });
  if (status !== 200) throw new Error(`${memberId} got no password: ${text}`);
};

/** The latest lines in the log of the team meridian. */
export const latestChanges = async (stack: TestStack) => {
  const { body } = await administer(stack, '/admin/teams/meridian/access-changes?pageSize=5', 'GET');
  return listAccessChanges.reply.parse(body).changes;
};

export type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly id_token: string };

/** By the consent of the person in the browser. */
export const tokensBy = async (
  stack: TestStack,
  browser: TestBrowser,
  client: OAuthClient,
  more: Readonly<Record<string, string>> = {},
): Promise<Tokens> => {
  const { status, body, text } = await exchangeCode(stack, client, await codeOf(browser, client, more));
  if (status !== 200) throw new Error(`there are no tokens: ${text}`);
  return body as Tokens;
};
