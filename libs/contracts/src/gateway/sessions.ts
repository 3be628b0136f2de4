/** Sessions of people in browsers: signing in and out, and one's own sessions. */
import { z } from 'zod';
import { storableText } from '../definition-parts.js';
import { operation } from '../operation.js';
import { memberId } from './members.js';
import { teamId } from './parts.js';

const sessionId = z.guid().describe('The session; it opens nothing.');
const passwordLengthMax = 256;

export const Session = z
  .object({
    sessionId,
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().describe('Exact to a minute.'),
    endsAt: z.iso.datetime().describe('When it ends at the latest.'),
    userAgent: z.string().describe('What the browser called itself, shortened.'),
    current: z.boolean().describe('Whether this request belongs to it.'),
  })
  .meta({ id: 'Session' });

const SignIn = z
  .union([
    z.strictObject({
      team: storableText(63).min(1).describe('The team, e.g. `meridian`.'),
      user: storableText(128).min(1).describe('The member of the team.'),
      password: storableText(passwordLengthMax).min(1),
    }),
    z.strictObject({ apiKey: storableText(500).min(1).describe('The session may do what the key may.') }),
  ])
  .meta({ id: 'SignIn' });

export const startSession = operation({
  owner: 'gateway',
  name: 'gateway.sessions.start',
  summary: 'Sign in',
  description:
    'For pages of the platform itself: `Sec-Fetch-Site: same-origin` or an `Origin` that is the public address, and the header `X-Tessera-Request: 1`. The answer sets the cookie of the session; what came with an earlier cookie ends. An unknown name and a wrong password are answered alike.',
  scope: 'none',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ signIn: SignIn }),
  reply: Session,
  failures: ['SESSION_REQUEST_REFUSED'],
  http: { group: 'admin', method: 'post', path: '/session', body: 'signIn', isSignIn: true },
});

export const endSession = operation({
  owner: 'gateway',
  name: 'gateway.sessions.end',
  summary: 'Sign out',
  description:
    'Ends the session of this request and takes its cookie back. One that began at the issuer of the operator ends with what clients were allowed in it; the person is signed in at the issuer until the browser goes to `continueAt`.',
  scope: 'none',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: z.object({
    ended: sessionId,
    continueAt: z.url().optional().describe('Where the issuer signs the person out, and sends the browser back from.'),
  }),
  failures: ['GENERAL_NOTFOUND', 'SESSION_REQUEST_REFUSED'],
  http: { group: 'admin', method: 'delete', path: '/session' },
});

export const listSessions = operation({
  owner: 'gateway',
  name: 'gateway.sessions.list',
  summary: "List one's own sessions",
  description: 'Of the member, or of the key, that calls; the newest first.',
  scope: 'none',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: z.object({ sessions: z.array(Session) }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/sessions' },
});

export const endOwnSession = operation({
  owner: 'gateway',
  name: 'gateway.sessions.endOwn',
  summary: "End one of one's own sessions",
  scope: 'none',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ sessionId }),
  reply: z.object({ ended: sessionId }),
  failures: ['GENERAL_NOTFOUND', 'SESSION_REQUEST_REFUSED'],
  http: { group: 'admin', method: 'delete', path: '/sessions/{sessionId}' },
});

export const setPassword = operation({
  owner: 'gateway',
  name: 'gateway.members.setPassword',
  summary: 'Set the password of a member',
  description: 'Of a member whom no issuer knows. Ends all its sessions.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    team: teamId,
    memberId,
    password: z
      .strictObject({ password: storableText(passwordLengthMax).min(12).describe('At least 12 characters.') })
      .meta({ id: 'NewPassword' }),
  }),
  reply: z.object({ memberId: z.string() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: {
    ...{ group: 'admin', method: 'put', body: 'password' },
    path: '/admin/teams/{team}/members/{memberId}/password',
  },
});
