/**
 * What a client says of itself -> what is taken of it (RFC 7591). Members that play no part here are left out, as the RFC allows: so a
 * client names no address that this server would fetch.
 */
import { z } from 'zod';
import { OAuthFault } from './oauth-fault.js';
import { redirectFault } from './redirect-address.js';

const daySeconds = 86_400;
/** Of a client that registered itself: until its first use, and from each use on. */
export const clientLifeSeconds = { unused: daySeconds, used: 90 * daySeconds };

export type ClientMetadata = Readonly<{
  redirect_uris: readonly string[];
  client_name?: string;
  application_type: 'native' | 'web';
  grant_types: readonly string[];
  response_types: readonly ['code'];
  token_endpoint_auth_method: ClientAuthentication;
}>;

export const clientAuthentications = ['none', 'client_secret_basic'] as const;
type ClientAuthentication = (typeof clientAuthentications)[number];

const clientGrants: readonly string[] = ['authorization_code', 'refresh_token'];
const redirectsMax = 20;
const nameLengthMax = 100;

const Given = z.object({
  redirect_uris: z.array(z.string()).min(1).max(redirectsMax),
  client_name: z.string().optional(),
  application_type: z.enum(['native', 'web']).optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

type ReadOptions = {
  /** How a client that does not say it authenticates. */
  readonly otherwise: ClientAuthentication;
  /** True when the operator has listed it. */
  readonly isListed?: boolean;
};

/** Throws an OAuthFault. */
export const readClientMetadata = (given: unknown, { otherwise, isListed }: ReadOptions): ClientMetadata => {
  const read = Given.safeParse(given);
  if (!read.success) throw metadataFault(read.error);
  const { redirect_uris: redirects, client_name: name, grant_types: grants, ...rest } = read.data;
  const fault = redirects.map((redirect) => redirectFault(redirect, isListed)).find((each) => each !== undefined);
  if (fault !== undefined) throw new OAuthFault('invalid_redirect_uri', `A redirect address ${fault}.`);
  if (rest.response_types && !rest.response_types.includes('code'))
    throw new OAuthFault('invalid_client_metadata', 'The member response_types has to contain code.');
  const shown = name === undefined ? '' : shownName(name);
  const isNative = rest.application_type === 'native' || redirects.some((redirect) => !/^https:/i.test(redirect));
  return {
    redirect_uris: redirects,
    ...(shown !== '' && { client_name: shown }),
    application_type: isNative ? 'native' : 'web',
    grant_types: clientGrants.filter((grant) => grant === clientGrants[0] || grants?.includes(grant)),
    response_types: ['code'],
    token_endpoint_auth_method: authenticationOf(rest.token_endpoint_auth_method ?? otherwise),
  };
};

const metadataFault = ({ issues: [first] }: z.ZodError): OAuthFault => {
  const member = String(first?.path[0] ?? '');
  if (member === 'redirect_uris')
    return new OAuthFault('invalid_redirect_uri', `The member redirect_uris has to be 1 to ${redirectsMax} addresses.`);
  return new OAuthFault(
    'invalid_client_metadata',
    member === '' ? 'The body has to be a JSON object.' : `The member ${member} is not of the form that RFC 7591 has.`,
  );
};

const authenticationOf = (method: string): ClientAuthentication => {
  const known = clientAuthentications.find((each) => each === method);
  if (known) return known;
  const description = `Clients authenticate by one of: ${clientAuthentications.join(', ')}.`;
  throw new OAuthFault('invalid_client_metadata', description);
};

/** On one line, without characters that turn the direction of what stands beside it. */
const shownName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, nameLengthMax);
