/** Why a sign-in at the issuer came to nothing: what the person reads, and what the log has. Never holds a code, a token or a secret. */
import { OutgoingError } from '@tessera/outgoing-http';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

export class SignOnFault extends Error {
  override readonly name = 'SignOnFault';

  constructor(
    readonly status: 400 | 401 | 403 | 502,
    /** For the person. */
    readonly detail: string,
    /** For the log. */
    readonly reason: string,
  ) {
    super(reason);
  }
}

const errorShape = /^[a-z_]{1,60}$/;
const wordOf = (error: string): string => (errorShape.test(error) ? error : 'an error of its own');

/** What the client library found wrong with the answer of the issuer, or with that of its token endpoint. */
export const faultOfAnswer = (error: unknown): SignOnFault => {
  if (error instanceof AuthorizationResponseError) {
    const word = wordOf(error.error);
    return word === 'access_denied'
      ? new SignOnFault(403, 'The sign-in was declined at the issuer.', 'the issuer answered access_denied')
      : new SignOnFault(502, `The issuer could not sign you in (${word}).`, `the issuer answered ${word}`);
  }
  if (error instanceof ResponseBodyError) {
    const reason = `the token endpoint answered ${error.status} ${wordOf(error.error)}`;
    return error.error === 'invalid_grant'
      ? new SignOnFault(400, 'This sign-in was used already, or took too long.', reason)
      : new SignOnFault(502, 'The issuer does not accept this installation as its client.', reason);
  }
  if (error instanceof ClientError) {
    const reason = `${error.code ?? 'no code'}${causeOf(error)}`;
    if (error.code?.startsWith('OAUTH_JWT_') || error.code === 'OAUTH_INVALID_RESPONSE')
      return new SignOnFault(401, 'What the issuer says of you does not belong to this sign-in.', reason);
    return new SignOnFault(502, 'The issuer cannot be reached, or its answer is not understood.', reason);
  }
  return new SignOnFault(502, 'The issuer cannot be reached at the moment.', transportFault(error));
};

/** Of what was thrown while the issuer was asked. */
const causeOf = ({ cause }: ClientError): string => (cause instanceof OutgoingError ? `: ${cause.fault}` : '');
const transportFault = (error: unknown): string =>
  error instanceof OutgoingError ? error.fault : error instanceof Error ? error.name : 'unknown';
