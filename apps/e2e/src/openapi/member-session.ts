/** A session of the demo's analyst, who has allowed a client to call tools: for examples that only a member can send. */
import { createHash } from 'node:crypto';
import { parseJson, textOf } from '../json.js';
import type { RunningProduct } from '../product.js';

export const pageHeaders = { 'sec-fetch-site': 'same-origin', 'x-tessera-request': '1' };
const redirect = 'http://127.0.0.1:33418/callback';
const challenge = createHash('sha256').update('of no token that anybody fetches').digest('base64url');

const cookiesIn = (response: Response): readonly string[] =>
  response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

const asJson = (body: object): RequestInit => ({
  method: 'POST',
  headers: { ...pageHeaders, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The cookie of the session. */
export const startMemberSession = async ({ gateways, environment }: RunningProduct): Promise<string> => {
  const [origin = ''] = gateways;
  const member = { team: 'meridian', user: 'anton.berg', password: environment['ANALYST_PASSWORD'] };
  const [session = ''] = cookiesIn(await fetch(`${origin}/session`, asJson(member)));
  for (const name of ['Notebook', 'Desktop App']) await allowClient(origin, session, name);
  return session;
};

const allowClient = async (origin: string, session: string, name: string): Promise<void> => {
  const client = { client_name: name, redirect_uris: [redirect], token_endpoint_auth_method: 'none' };
  const registered = parseJson(await (await fetch(`${origin}/oauth2/register`, asJson(client))).text());
  const asked = new URLSearchParams({
    ...{ client_id: textOf(registered, 'client_id'), response_type: 'code', redirect_uri: redirect, state: 'x' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', scope: 'tools:execute' },
  });
  const begun = await fetch(`${origin}/oauth2/authorize?${asked.toString()}`, {
    redirect: 'manual',
    headers: { ...pageHeaders, cookie: session },
  });
  const cookie = [session, ...cookiesIn(begun)].join('; ');
  const address = new URL(begun.headers.get('location') ?? '', origin);
  const page = await (await fetch(address, { headers: { ...pageHeaders, cookie } })).text();
  const [, form = ''] = /name="form" value="([^"]+)"/.exec(page) ?? [];
  const decided = await fetch(address, {
    method: 'POST',
    headers: { ...pageHeaders, cookie },
    body: new URLSearchParams({ form, team: 'meridian', decision: 'allow' }),
  });
  if (!decided.ok) throw new Error(`The client was not allowed: ${decided.status} ${await decided.text()}`);
};
