/**
 * `{secret:NAME}` in the headers of a request, and the same secrets in what comes back.
 * Refuses: a secret that is not for the team or the host; an asset can name secrets and read none.
 */
import { nearestName } from '@tessera/failures';
import type { RequestSurroundings } from './surroundings.js';

const mention = /\{secret:([^{}]*)\}/g;
const masked = '[secret]';

type Place = Pick<RequestSurroundings, 'team' | 'secrets'> & { readonly hostName: string };

export const secretNamesIn = (text: string): readonly string[] =>
  [...text.matchAll(mention)].map(([, name = '']) => name);

/** The value, when the operator gave it to the team for the host. */
const secretOf = ({ secrets, team, hostName }: Place, name: string): string | undefined => {
  const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  return secret?.teams.includes(team) && secret.hosts.includes(hostName) ? secret.value : undefined;
};

/** What is wrong with naming a secret; names of other teams are not told. */
export const secretFault = (place: Place, name: string): string | undefined => {
  if (secretOf(place, name) !== undefined) return undefined;
  const { secrets, team, hostName } = place;
  const own = Object.entries(secrets).filter(([, secret]) => secret.teams.includes(team));
  if (own.some(([known]) => known === name)) return `the secret "${name}" is not for the host ${hostName}`;
  const nearest = nearestName(
    name,
    own.map(([known]) => known),
  );
  return `there is no secret "${name}" for the team${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
};

export type FilledHeaders = {
  readonly headers: Readonly<Record<string, string>>;
  readonly mask: Mask;
};

/** The headers with their secrets; undefined when one may not be used. */
export const fillSecrets = (place: Place, headers: Readonly<Record<string, string>>): FilledHeaders | undefined => {
  const used = new Set<string>();
  let isComplete = true;
  const fill = (text: string): string =>
    text.replaceAll(mention, (_, name: string) => {
      const value = secretOf(place, name);
      if (value === undefined) isComplete = false;
      else used.add(value);
      return value ?? '';
    });
  const filled = Object.entries(headers).map(([name, text]) => [name, fill(text)] as const);
  return isComplete ? { headers: Object.fromEntries(filled), mask: maskOf([...used]) } : undefined;
};

export type Mask = (value: unknown) => unknown;

/** Also as they stand in an address, in JSON and in Base64, which is how a foreign system may show them. */
const formsOf = (secret: string): readonly string[] => {
  const encoded = encodeURIComponent(secret);
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), encoded, encoded.replaceAll('%20', '+')],
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...[0, 1, 2].flatMap((before) => inBase64(secret, before)),
  ];
};

/** Of three bytes four characters are made: what it looks like behind so many others, up to what depends on its neighbours. */
const inBase64 = (secret: string, before: number): readonly string[] => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return (['base64', 'base64url'] as const).flatMap((form) => {
    const text = bytes.toString(form).replaceAll('=', '');
    const start = Math.ceil((before * 8) / 6);
    return [text.slice(start), text.slice(start, whole)];
  });
};

/** The value with every secret in it, in names and values, replaced. */
const maskOf = (secrets: readonly string[]): Mask => {
  // The longest first: one may be the beginning of another.
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((left, right) => right.length - left.length);
  if (forms.length === 0) return (value) => value;
  const maskText = (text: string): string => forms.reduce((rest, form) => rest.replaceAll(form, masked), text);
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value);
    if (typeof value === 'number') return forms.some((form) => String(value).includes(form)) ? masked : value;
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [maskText(name), mask(member)]));
  };
  return mask;
};
