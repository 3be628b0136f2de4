/**
 * The endpoint of a model as the operator allows it to a team: its address, and its headers with secrets. Never names hosts of
 * other teams.
 */
import type { ModelDefinition } from '@tessera/contracts/agents';
import { type FaultList, findNearestName } from '@tessera/failures';
import { findAllowedHost } from '@tessera/outgoing-http';
import { fillSecrets, findHeaderFaults, secretNamesIn, type SecretMask } from '@tessera/service-kit';
import type { ModelHost, ModelHosts } from './model-settings.js';

export type EndpointDefinition = Exclude<ModelDefinition, { provider: 'builtin' }>;

export type AllowedEndpoint = {
  /** As the definition has it, or the provider's own. */
  readonly url: URL;
  readonly address: URL | undefined;
  /** Empty when the definition has none, so that a provider looks for none itself. */
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mask: SecretMask;
};

/** Of the providers that have one; said here so that no variable of the process can say another. */
const ownUrls: Readonly<Record<'anthropic' | 'google', string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

const urlOf = (definition: EndpointDefinition): URL =>
  new URL(
    definition.provider === 'openai-compatible'
      ? definition.baseUrl
      : (definition.baseUrl ?? ownUrls[definition.provider]),
  );

type Path = readonly (string | number)[];
type EndpointContext = { readonly hosts: ModelHosts; readonly team: string };

/** What is wrong with the address, beside its host. */
const addressFault = ({ protocol, port }: URL, { address }: ModelHost): string | undefined => {
  if (address !== undefined)
    return port === '' ? undefined : 'expected no port; the operator has said where the host is';
  if (protocol !== 'https:') return 'expected https';
  return port === '' ? undefined : 'expected no port; only 443 is reached, unless the operator says otherwise';
};

/** Undefined when something is not allowed; `collectEndpointFaults` says what. */
export const resolveAllowedEndpoint = (
  place: EndpointContext,
  definition: EndpointDefinition,
): AllowedEndpoint | undefined => {
  const url = urlOf(definition);
  const host = findAllowedHost(place, url);
  if (host === undefined || addressFault(url, host) !== undefined) return undefined;
  const { apiKey = '', headers = {} } = definition;
  if (findHeaderFaults(headers).length > 0) return undefined;
  const filled = fillSecrets([apiKey, ...Object.values(headers)], (name) => secretOf(host, name));
  if (filled === undefined) return undefined;
  const [key = '', ...values] = filled.values;
  return {
    ...{ url, apiKey: key, mask: filled.mask },
    address: host.address === undefined ? undefined : new URL(host.address),
    headers: Object.fromEntries(Object.keys(headers).map((name, index) => [name, values[index] ?? ''])),
  };
};

const secretOf = ({ secrets = {} }: ModelHost, name: string): string | undefined =>
  Object.hasOwn(secrets, name) ? secrets[name] : undefined;

/** Paths are those inside the definition of the model, behind `path`. */
export const collectEndpointFaults = (
  place: EndpointContext,
  definition: EndpointDefinition,
  path: Path,
  faults: FaultList,
): void => {
  const { apiKey = '', headers = {}, baseUrl: given } = definition;
  for (const [name, fault] of findHeaderFaults(headers)) faults.add([...path, 'headers', name], 'header', fault);
  const url = urlOf(definition);
  const addressPath = [...path, given === undefined ? 'provider' : 'baseUrl'];
  const host = findAllowedHost(place, url);
  if (host === undefined) return unlistedFault(place, url, addressPath, faults);
  const fault = addressFault(url, host);
  if (fault !== undefined) faults.add(addressPath, 'host', fault);
  secretFaults(host, apiKey, [...path, 'apiKey'], faults);
  for (const [name, text] of Object.entries(headers)) secretFaults(host, text, [...path, 'headers', name], faults);
};

const unlistedFault = ({ hosts, team }: EndpointContext, { hostname }: URL, path: Path, faults: FaultList): void => {
  const own = Object.entries(hosts).flatMap(([known, { teams }]) => (teams.includes(team) ? [known] : []));
  const message = `the host ${hostname} is not among those that the operator allows for the team`;
  faults.add(path, 'host', message, findNearestName(hostname, own));
};

const secretFaults = (host: ModelHost, text: string, path: Path, faults: FaultList): void => {
  for (const name of secretNamesIn(text)) {
    if (secretOf(host, name) !== undefined) continue;
    const message = `there is no secret "${name}" that the operator gives to the host and the team`;
    faults.add(path, 'secret', message, findNearestName(name, Object.keys(host.secrets ?? {})));
  }
};
