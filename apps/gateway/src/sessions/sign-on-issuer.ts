/**
 * The issuer at which people sign in (OpenID Connect). It is asked for its document when somebody signs in, not at the start: the gateway
 * runs while it is away. Every signature is checked by its published keys. Never follows a redirect, nor reads an answer without end.
 */
import { createPublicKey } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { sendRequest, createTrustedTarget } from '@tessera/outgoing-http';
import type { NamedPerson, NewLogout } from '@tessera/persistence/gateway';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client';
import { KeySet, KeySetUnavailable } from '../auth/key-set.js';
import { clockToleranceSeconds } from '../auth/token-caller.js';
import { maxTokenLength } from '../auth/jwt.strategy.js';
import { logoutIn, LogoutTokenFault } from './logout-token.js';
import type { SignOnAttempt } from './sign-on-attempt.js';
import { faultOfAnswer, SignOnFault } from './sign-on-fault.js';

export type SignOnClient = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  /** Names the teams among which the person may choose. */
  readonly teamsClaim?: string | undefined;
};

type Checks = Pick<SignOnAttempt, 'state' | 'nonce' | 'verifier'>;
type Issuer = { readonly configuration: Configuration; readonly keys: KeySet; readonly readAtMs: number };

const fetchTimeoutSeconds = 5;
const answerBytesMax = 1024 * 1024;
const refreshAfterMs = 600_000;
const retryAfterMs = 2_000;
/** What the issuer says is asked for, or told, at this moment. */
const tokenAgeMaxSeconds = 600;
const algorithms = ['RS256', 'PS256', 'ES256'];
/** It becomes a key of the database. */
const subjectShape = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
const sessionLengthMax = 256;
const teamsMax = 100;

type SignOnIssuerOptions = { readonly onError: (reason: string) => void; readonly clock?: () => number };

export class SignOnIssuer {
  readonly #client: SignOnClient;
  readonly #onError: (reason: string) => void;
  readonly #clock: () => number;
  #known: Issuer | undefined;
  #reading: Promise<Issuer> | undefined;
  #triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(client: SignOnClient, { onError, clock = () => Date.now() }: SignOnIssuerOptions) {
    this.#client = client;
    this.#onError = onError;
    this.#clock = clock;
  }

  /** Where the person goes. `mustAsk`: the issuer asks for name and password even of whom it knows already. */
  async authorizationUrl({ state, nonce, verifier }: Checks, redirectUri: string, mustAsk: boolean): Promise<string> {
    const { configuration } = await this.#issuer();
    return buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope: this.#client.scopes, state, nonce },
      ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      ...(mustAsk && { prompt: 'login' }),
    }).href;
  }

  /** Whom the issuer has named; `answer` is the address at which it sent the person back. Rejects with a SignOnFault. */
  async personOf(answer: URL, { state, nonce, verifier }: Checks): Promise<Omit<NamedPerson, 'nextPath'>> {
    const { configuration, keys } = await this.#issuer();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    let idToken: string;
    try {
      idToken = (await authorizationCodeGrant(configuration, answer, checks)).id_token ?? '';
    } catch (error) {
      throw faultOfAnswer(error);
    }
    return this.#personIn(idToken, await this.#verify(idToken, configuration, keys));
  }

  /** Where the issuer signs the person out; undefined when it does not, when it is another one, or when it is away. */
  async logoutUrl(
    { issuer, idToken }: Pick<NamedPerson, 'issuer' | 'idToken'>,
    returnTo: string,
    state: string,
  ): Promise<string | undefined> {
    const known = await this.#issuer().catch(() => undefined);
    const metadata = known?.configuration.serverMetadata();
    if (!known || metadata?.issuer !== issuer || metadata.end_session_endpoint === undefined) return undefined;
    return buildEndSessionUrl(known.configuration, {
      ...(idToken !== '' && { id_token_hint: idToken }),
      ...{ post_logout_redirect_uri: returnTo, state },
    }).href;
  }

  /** Rejects with a LogoutTokenFault, or with a SignOnFault when the issuer is away. */
  async logoutOf(token: string): Promise<NewLogout> {
    const { configuration, keys } = await this.#issuer();
    if (token.length > maxTokenLength) throw new LogoutTokenFault('it is too long');
    let payload: JWTPayload;
    try {
      payload = await this.#verify(token, configuration, keys, logoutTypes);
    } catch (error) {
      throw error instanceof SignOnFault && error.status === 401 ? new LogoutTokenFault(error.reason) : error;
    }
    return logoutIn(payload, this.#clock());
  }

  #personIn(idToken: string, claims: JWTPayload): Omit<NamedPerson, 'nextPath'> {
    const { iss = '', sub = '', sid, iat = 0 } = claims;
    if (!subjectShape.test(sub)) throw wrongToken('it has no subject that can be stored (sub)');
    const { teamsClaim } = this.#client;
    const issuerSession = typeof sid === 'string' && sid.length <= sessionLengthMax ? sid : '';
    return {
      ...{ issuer: iss, subject: sub, issuerSession, namedAt: new Date(iat * 1_000) },
      // A longer one would make an address that servers refuse.
      idToken: idToken.length <= maxTokenLength ? idToken : '',
      ...(teamsClaim !== undefined && { teams: teamsIn(claims[teamsClaim]) }),
    };
  }

  /** The claims. Rejects with a SignOnFault: 401 for a token that does not fit, 502 when there are no keys. */
  async #verify(
    token: string,
    configuration: Configuration,
    keys: KeySet,
    types?: readonly (string | undefined)[],
  ): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = await keys.keyFor(kid);
          if (key === undefined) throw wrongToken('the issuer has no key with its id (kid)');
          return createPublicKey(key);
        },
        {
          ...{ algorithms, clockTolerance: clockToleranceSeconds, currentDate: new Date(this.#clock()) },
          issuer: configuration.serverMetadata().issuer,
          audience: this.#client.clientId,
          maxTokenAge: tokenAgeMaxSeconds,
        },
      );
      if (types && !types.includes(protectedHeader.typ?.toLowerCase())) throw wrongToken('it is of another type (typ)');
      return payload;
    } catch (error) {
      if (error instanceof KeySetUnavailable) throw away('its keys cannot be had');
      if (error instanceof errors.JOSEError) throw wrongToken(error.code);
      throw error instanceof SignOnFault ? error : wrongToken('its key does not fit');
    }
  }

  /** As it was read a while ago at most, or longer ago when it cannot be read. Rejects with a SignOnFault. */
  async #issuer(): Promise<Issuer> {
    const known = this.#known;
    if (!known) return this.#read();
    if (this.#clock() - known.readAtMs > refreshAfterMs) void this.#read().catch(() => undefined);
    return known;
  }

  #read(): Promise<Issuer> {
    if (this.#reading) return this.#reading;
    if (this.#clock() - this.#triedAtMs < retryAfterMs)
      return Promise.reject(away('it could not be read a moment ago'));
    this.#triedAtMs = this.#clock();
    this.#reading = this.#discover().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #discover(): Promise<Issuer> {
    const { issuer, clientId, clientSecret } = this.#client;
    try {
      const isPlain = new URL(issuer).protocol === 'http:';
      const metadata = { client_secret: clientSecret, [clockTolerance]: clockToleranceSeconds };
      const configuration = await discovery(new URL(issuer), clientId, metadata, authenticationBy(clientSecret), {
        [customFetch]: fetchBounded,
        timeout: fetchTimeoutSeconds,
        execute: isPlain ? [allowInsecureRequests] : [],
      });
      const url = configuration.serverMetadata().jwks_uri;
      if (url === undefined) throw away('its document names no keys (jwks_uri)');
      // The keys that are known are kept with the address at which they are.
      const keys = this.#known?.configuration.serverMetadata().jwks_uri === url ? this.#known.keys : undefined;
      this.#known = {
        ...{ configuration, readAtMs: this.#clock() },
        keys: keys ?? new KeySet({ url, onError: this.#onError, clock: this.#clock }),
      };
      return this.#known;
    } catch (error) {
      const fault = error instanceof SignOnFault ? error : faultOfAnswer(error);
      this.#onError(fault.reason);
      throw away(fault.reason);
    }
  }
}

/** Some issuers say the type of any token, or nothing. */
const logoutTypes = ['logout+jwt', 'application/logout+jwt', 'jwt', undefined];

const away = (reason: string): SignOnFault =>
  new SignOnFault(502, 'The issuer cannot be reached at the moment.', reason);
const wrongToken = (reason: string): SignOnFault =>
  new SignOnFault(401, 'What the issuer says of you cannot be believed.', `the token does not fit: ${reason}`);

const teamsIn = (claim: unknown): readonly string[] =>
  [claim]
    .flat()
    .filter((each) => typeof each === 'string')
    .slice(0, teamsMax);

/** Of an ID token that was verified when the session began; none of one that was too long to be kept. */
export const teamsInIdToken = (idToken: string, claim: string): readonly string[] =>
  idToken === '' ? [] : teamsIn(decodeJwt(idToken)[claim]);

/** By Basic, which every issuer has to know, unless it says that it does not. */
const authenticationBy = (secret: string): ClientAuth => {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPostOnly = supported.includes('client_secret_post') && !supported.includes('client_secret_basic');
    (isPostOnly ? post : basic)(server, ...rest);
  };
};

/** Statuses whose answers have no body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

const fetchBounded: CustomFetch = async (address, { method, headers, body, signal }) => {
  const url = new URL(address);
  const sent = body === undefined || body === null ? {} : { body: textOfForm(body) };
  const answer = await sendRequest(
    createTrustedTarget(url),
    { method, path: url.pathname + url.search, headers, ...sent },
    { signal: signal ?? AbortSignal.timeout(fetchTimeoutSeconds * 1_000), bodySizeMax: answerBytesMax },
  );
  const content = await text(answer.body);
  const contentType = answer.headers['content-type'];
  return new Response(emptyStatuses.has(answer.status) ? null : content, {
    status: answer.status,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });
};

/** The client sends forms alone. */
const textOfForm = (body: unknown): string => {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('The body is no form.');
};
