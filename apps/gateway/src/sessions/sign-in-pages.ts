/** The pages at which people sign in with a password or a key, and sign out; the work is that of `Sessions`. */
import { Inject, Injectable } from '@nestjs/common';
import { startSession } from '@tessera/contracts/gateway';
import { toHttpStatus, type Failure } from '@tessera/failures';
import { logToken, settingsToken, type Log } from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../auth/authenticator.js';
import { readSessionSecrets } from '../auth/session-cookie.js';
import type { GatewayConfiguration } from '../configuration.js';
import { forwardPage, sendPage, type HtmlPage } from '../http/html-page.js';
import { getFormValue } from '../http/read-form.js';
import {
  addCookie,
  addPage,
  comesFromElsewhere,
  faultOfFailure,
  formOf,
  formTokenFor,
  nextOf,
  queryOf,
  seeOther,
  signInPath,
  signOutPath,
} from './page-route.js';
import { localPathOf } from './local-path.js';
import { endedCookieOf, SessionService } from './sessions.js';
import { signedOutPage, signInPage, signOutPage, type FormFault, type SignInForm } from './sign-in-views.js';
import { SingleSignOn } from './single-sign-on.js';

type ShownForm = Omit<SignInForm, 'formToken' | 'issuerName' | 'isSwitch'>;

@Injectable()
export class SignInPages {
  constructor(
    private readonly sessions: SessionService,
    private readonly singleSignOn: SingleSignOn,
    private readonly authenticator: Authenticator,
    @Inject(logToken) private readonly log: Log,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {}

  addRoutes(fastify: FastifyInstance): void {
    addPage(fastify, 'GET', signInPath, (request, reply) => this.#show(request, reply), this.log);
    addPage(fastify, 'POST', signInPath, (request, reply) => this.#signIn(request, reply), this.log);
    addPage(fastify, 'GET', signOutPath, (request, reply) => this.#showSignOut(request, reply), this.log);
    addPage(fastify, 'POST', signOutPath, (request, reply) => this.#signOut(request, reply), this.log);
    this.singleSignOn.addRoutes(fastify);
  }

  async #show(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const next = nextOf(request);
    const isSwitch = queryOf(request).get('switch') === '1';
    if (isSwitch) await this.#endForSomebodyElse(request, reply);
    // Who is signed in is seen when the next request is one of this site.
    else if (comesFromElsewhere(request)) return sendPage(reply, forwardPage(pathWith(signInPath, next)));
    else if (await this.#isSignedIn(request)) return seeOther(reply, next);
    return this.#sendForm(request, reply, { next }, 200);
  }

  async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { form, isOurs } = await formOf(request);
    const next = localPathOf(form.get('next'));
    const given = { team: getFormValue(form, 'team') ?? '', user: getFormValue(form, 'user') ?? '' };
    const shown = { next, given };
    if (!isOurs) return this.#sendForm(request, reply, { ...shown, fault: formExpired }, 403);
    const signIn = form.has('apiKey')
      ? { apiKey: form.get('apiKey') }
      : { ...given, password: form.get('password') ?? '' };
    const parsed = startSession.request.safeParse({ signIn });
    if (!parsed.success) return this.#sendForm(request, reply, { ...shown, fault: missingIn(signIn) }, 400);
    const begun = await this.sessions.signIn(parsed.data.signIn, request);
    if (begun.ok) {
      addCookie(reply, begun.value.cookie);
      return seeOther(reply, next);
    }
    const { failure } = begun;
    const fault = { field: 'apiKey' in signIn ? 'apiKey' : 'password', message: messageOf(failure) } as const;
    if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', String(failure.retryAfterSeconds));
    return this.#sendForm(request, reply, { ...shown, fault }, toHttpStatus(failure));
  }

  async #showSignOut(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const query = queryOf(request);
    // From the issuer, which has signed the person out and sends the browser back.
    const returnTo = query.get('state');
    if (returnTo !== null) return sendPage(reply, signedOutFor(localPathOf(returnTo)));
    const next = localPathOf(query.get('next'));
    if (comesFromElsewhere(request)) return sendPage(reply, forwardPage(pathWith(signOutPath, next)));
    if (!(await this.#isSignedIn(request))) return sendPage(reply, signedOutPage());
    return sendPage(reply, signOutPage(next, formTokenFor(request, reply)));
  }

  async #signOut(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { form, isOurs } = await formOf(request);
    const next = localPathOf(form.get('next'));
    if (!isOurs) return sendPage(reply, signOutPage(next, formTokenFor(request, reply)), 403);
    const [origin] = await this.sessions.endOfBrowser(request);
    addCookie(reply, endedCookieOf(request));
    if (!origin) return sendPage(reply, signedOutFor(next));
    const address = await this.singleSignOn.signOut(origin, request, next);
    return sendPage(reply, address === undefined ? signedOutPage(stillAtIssuer) : forwardPage(address));
  }

  async #endForSomebodyElse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // What a browser loads before somebody asks for it ends nothing.
    if (comesFromElsewhere(request) || request.headers['sec-purpose'] !== undefined) return;
    if (readSessionSecrets(request).length === 0) return;
    await this.sessions.endOfBrowser(request);
    addCookie(reply, endedCookieOf(request));
  }

  /** Throws a PageFault when nobody can look. */
  async #isSignedIn(request: FastifyRequest): Promise<boolean> {
    const [text] = readSessionSecrets(request);
    if (text === undefined) return false;
    const verified = await this.authenticator.authenticate({ kind: 'session', text });
    if (!verified.ok && verified.reason === undefined) throw faultOfFailure(verified.failure);
    return verified.ok;
  }

  #sendForm(request: FastifyRequest, reply: FastifyReply, form: ShownForm, status: number): FastifyReply {
    const { SSO_ISSUER, SSO_NAME } = this.configuration;
    const page = signInPage({
      ...form,
      formToken: formTokenFor(request, reply),
      issuerName: SSO_ISSUER === undefined ? undefined : SSO_NAME,
      isSwitch: queryOf(request).get('switch') === '1',
    });
    return sendPage(reply, page, status);
  }
}

/** Who wants to go nowhere else is told. */
const signedOutFor = (next: string): HtmlPage => (next === '/' ? signedOutPage() : forwardPage(next));

const pathWith = (path: string, next: string): string => `${path}?next=${encodeURIComponent(next)}`;

const formExpired: FormFault = { field: 'form', message: 'The form was open for too long; please try again.' };
const stillAtIssuer = 'The issuer does not sign you out by itself: you may be signed in there still.';

const missingIn = (signIn: Readonly<Record<string, string | null>>): FormFault => {
  const [name = ''] = Object.entries(signIn).find(([, value]) => value === null || value === '') ?? ['form'];
  switch (name) {
    case 'team':
      return { field: 'team', message: 'Name the team.' };
    case 'user':
      return { field: 'user', message: 'Give your name or e-mail address in the team.' };
    case 'password':
      return { field: 'password', message: 'Give your password.' };
    case 'apiKey':
      return { field: 'apiKey', message: 'Give an API key.' };
    default:
      return { field: 'form', message: 'A field is too long, or has characters that no name has.' };
  }
};

const messageOf = (failure: Failure): string =>
  failure.retryAfterSeconds === undefined
    ? (failure.detail ?? '')
    : `${failure.detail ?? ''} Try again in ${failure.retryAfterSeconds} seconds.`;
