/** What a logout token says whose signature, issuer and audience fit (OpenID Connect Back-Channel Logout 1.0, 2.6). Pure. */
import type { NewLogout } from '@tessera/persistence/gateway';
import type { JWTPayload } from 'jose';
import { clockToleranceSeconds } from '../auth/token-caller.js';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const ageMaxSeconds = 300;
const textShape = /^[^\p{Cc}\p{Cs}]{1,256}$/u;

export class LogoutTokenFault extends Error {
  override readonly name = 'LogoutTokenFault';
}

/** Throws a LogoutTokenFault. */
export const logoutIn = (payload: JWTPayload, nowMs: number): NewLogout => {
  const { iss = '', jti, sub, sid, iat = 0, events } = payload;
  const refuse = (reason: string): never => {
    throw new LogoutTokenFault(reason);
  };
  if ('nonce' in payload) refuse('it has a nonce, as an ID token has');
  if (!isEvents(events)) refuse('it has no event of a sign-out (events)');
  if (!isStorable(jti)) return refuse('it has no id (jti)');
  const ageSeconds = nowMs / 1_000 - iat;
  if (ageSeconds < -clockToleranceSeconds || ageSeconds > ageMaxSeconds) refuse('it was not issued just now (iat)');
  for (const [name, claim] of Object.entries({ sub, sid }))
    if (claim !== undefined && !isStorable(claim)) refuse(`it has a ${name} that is no text of at most 256 characters`);
  if (sub === undefined && sid === undefined) refuse('it names neither a person (sub) nor a session (sid)');
  return {
    ...{ issuer: iss, tokenId: jti, issuedAt: new Date(iat * 1_000) },
    ...{ subject: isStorable(sub) ? sub : '', issuerSession: isStorable(sid) ? sid : '' },
  };
};

const isStorable = (claim: unknown): claim is string => typeof claim === 'string' && textShape.test(claim);

const isEvents = (claim: unknown): boolean =>
  typeof claim === 'object' &&
  claim !== null &&
  Object.hasOwn(claim, logoutEvent) &&
  typeof Reflect.get(claim, logoutEvent) === 'object' &&
  Reflect.get(claim, logoutEvent) !== null;
