/** Which client speaks, at addresses that oidc-provider does not answer: by its id alone, or by Basic when it keeps a secret. */
import type { Pool } from '@tessera/persistence';
import { findOAuthClient, oauthSecretMatches } from '@tessera/persistence/gateway';
import { getFormValue } from '../http/read-form.js';
import { OAuthFault } from './oauth-fault.js';

const basicPattern = /^\s*basic +([A-Za-z0-9+/=]+)\s*$/i;

/** The id of the client. Throws an OAuthFault. Rejects with the error of the database. */
export const authenticateClient = async (
  pool: Pool,
  form: URLSearchParams,
  authorization: string | undefined,
): Promise<string> => {
  const credentials = authorization === undefined ? undefined : readBasic(authorization);
  const clientId = credentials?.clientId ?? getFormValue(form, 'client_id');
  if (clientId === undefined) throw new OAuthFault('invalid_client', notValid);
  const { secretDigest } = (await findOAuthClient(pool, clientId)) ?? {};
  const secret = credentials?.secret;
  const isRight =
    secretDigest === undefined
      ? secret === undefined
      : secret !== undefined && oauthSecretMatches(secret, secretDigest);
  if (!isRight) throw new OAuthFault('invalid_client', notValid);
  return clientId;
};

const notValid = 'Name the client by client_id, or by HTTP Basic when it has a secret.';

/** Both are encoded as in forms (RFC 6749, 2.3.1). */
const readBasic = (authorization: string): { readonly clientId: string; readonly secret: string } => {
  const [, encoded = ''] = basicPattern.exec(authorization) ?? [];
  const pair = Buffer.from(encoded, 'base64').toString();
  const colonAt = pair.indexOf(':');
  if (colonAt < 1) throw new OAuthFault('invalid_client', notValid);
  const [clientId = '', secret = ''] = [pair.slice(0, colonAt), pair.slice(colonAt + 1)].map(
    (text) => new URLSearchParams(`a=${text}`).get('a') ?? '',
  );
  return { clientId, secret };
};
