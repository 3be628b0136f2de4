/**
 * Which secrets of the operator an http-request tool may use: those for its team and its host. An asset names secrets and never
 * reads one.
 */
import { findNearestName } from '@tessera/failures';
import { fillSecrets, type SecretMask } from '@tessera/service-kit';
import type { RequestContext } from './request-context.js';

type SecretScope = Pick<RequestContext, 'team' | 'secrets'> & { readonly hostName: string };

/** The value, when the operator gave it to the team for the host. */
const secretOf = ({ secrets, team, hostName }: SecretScope, name: string): string | undefined => {
  const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  return secret?.teams.includes(team) && secret.hosts.includes(hostName) ? secret.value : undefined;
};

/** What is wrong with naming a secret. Never shows names of other teams. */
export const findSecretFault = (place: SecretScope, name: string): string | undefined => {
  if (secretOf(place, name) !== undefined) return undefined;
  const { secrets, team, hostName } = place;
  const own = Object.entries(secrets).filter(([, secret]) => secret.teams.includes(team));
  if (own.some(([known]) => known === name)) return `the secret "${name}" is not for the host ${hostName}`;
  const nearest = findNearestName(
    name,
    own.map(([known]) => known),
  );
  return `there is no secret "${name}" for the team${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
};

/** The headers with their secrets; undefined when one may not be used. */
export const fillHeaders = (
  place: SecretScope,
  headers: Readonly<Record<string, string>>,
): FilledHeaders | undefined => {
  const filled = fillSecrets(Object.values(headers), (name) => secretOf(place, name));
  if (filled === undefined) return undefined;
  const named = Object.keys(headers).map((name, index) => [name, filled.values[index] ?? ''] as const);
  return { headers: Object.fromEntries(named), mask: filled.mask };
};

type FilledHeaders = { readonly headers: Readonly<Record<string, string>>; readonly mask: SecretMask };
