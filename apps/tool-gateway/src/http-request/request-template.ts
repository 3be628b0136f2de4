/**
 * The URL of a request with `{argument}` in path and query: parsed once, filled for each call. Never has placeholders in scheme,
 * host, port or names of the query, user names or fragments; never takes arguments that could change the path: empty ones, dots
 * alone, separators, encoded characters.
 */
type Piece = string | { readonly argument: string };

export type RequestTemplate = {
  /** Scheme, host and port. */
  readonly origin: URL;
  /** Between slashes; the first one follows the first slash. */
  readonly segments: readonly (readonly Piece[])[];
  readonly query: readonly { readonly name: string; readonly value: readonly Piece[] }[];
  /** The arguments that have a place in it. */
  readonly argumentNames: ReadonlySet<string>;
};

type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly string[] };

const addressPattern = /^(https?:\/\/[^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i;
/** What a URL says as it is, and braces. Anything else is percent-encoded by who writes it. */
const urlCharacters = /^[\w\-.~:/?@!$&'()*+,;=%[\]{}]+$/;
const placeholderPattern = /\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}/;

export const parseRequestTemplate = (text: string): ReadResult<RequestTemplate> => {
  const [, authority = '', path = '/', query = ''] = addressPattern.exec(text) ?? [];
  const origin = URL.parse(authority);
  if (origin === null || origin.hostname === '')
    return { ok: false, faults: ['expected an address like https://erp.example/orders/{orderNo}'] };
  const segments = path.slice(1).split('/').map(piecesOf);
  const fields = query === '' ? [] : query.split('&').map(fieldOf);
  const pieces = [...segments, ...fields.map(({ value }) => value)].flat();
  const faults = [
    ...(urlCharacters.test(text) ? [] : ['expected other characters to be percent-encoded']),
    ...(/[{}%]/.test(authority) ? ['expected a fixed host'] : []),
    ...(authority.includes('@') ? ['expected no user name; use a header with a secret'] : []),
    ...(pieces.some((piece) => typeof piece === 'string' && /[{}]/.test(piece))
      ? ['expected placeholders like {orderNo}']
      : []),
    ...(fields.some(({ name }) => /[{}]/.test(name)) ? ['expected no placeholder in the name of a query option'] : []),
    ...(segments.some(isDots) ? ['expected a path without . and ..'] : []),
    ...(!fields.every(({ name }) => isEncoded(name)) ||
    pieces.some((piece) => typeof piece === 'string' && !isEncoded(piece))
      ? ['expected % to be followed by two digits']
      : []),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const named = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.argument])));
  return { ok: true, value: { origin, segments, query: fields, argumentNames: named } };
};

const piecesOf = (text: string): readonly Piece[] =>
  text
    .split(placeholderPattern)
    .map((part, index) => (index % 2 === 1 ? { argument: part } : part))
    .filter((piece) => piece !== '');

const fieldOf = (text: string): RequestTemplate['query'][number] => {
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { name, value: piecesOf(value) };
};

const isDots = (segment: readonly Piece[]): boolean =>
  segment.every((piece) => typeof piece === 'string') && /^(?:\.|%2e){1,2}$/i.test(segment.join(''));

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** The names that the query has already, decoded; no extraQuery argument may be called so. */
export const getFixedQueryNames = ({ query }: RequestTemplate): ReadonlySet<string> =>
  new Set(query.map(({ name }) => decodeURIComponent(name.replaceAll('+', ' '))));

type ArgumentFault = { readonly argument: string; readonly message: string };
type FilledTemplate = { readonly path: string } | ArgumentFault;

/** Texts by argument; `extraQuery` is added to the query. Answers path and query, or the argument that does not fit. */
export const fillTemplate = (
  { origin, segments, query }: RequestTemplate,
  textOf: (argument: string) => string,
  extraQuery: readonly (readonly [string, string])[],
): FilledTemplate => {
  const filledSegments: string[] = [];
  for (const segment of segments) {
    const fault = segmentFault(segment, textOf);
    if (fault) return fault;
    filledSegments.push(fillPieces(segment, textOf));
  }
  const path = `/${filledSegments.join('/')}`;
  const fields = [
    ...query.map(({ name, value }) => `${name}=${fillPieces(value, textOf)}`),
    ...extraQuery.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`),
  ];
  const text = fields.length === 0 ? path : `${path}?${fields.join('&')}`;
  const url = URL.parse(text, origin.origin);
  // By construction; a mistake in it must not reach another place.
  if (url === null || url.origin !== origin.origin || url.pathname !== path)
    return { argument: '', message: 'expected arguments that leave the path as it is' };
  return { path: text };
};

/** Lone surrogates have no encoding; they become U+FFFD. */
const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());

const fillPieces = (pieces: readonly Piece[], textOf: (argument: string) => string): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : encodeText(textOf(piece.argument)))).join('');

/** Encoded separators and dots are decoded by many servers before they look at the path. */
const forbiddenInPath = /[/\\?#]|%[0-9a-f]{2}|\p{Cc}|\p{Cs}/iu;

const segmentFault = (segment: readonly Piece[], textOf: (argument: string) => string): ArgumentFault | undefined => {
  const filled = segment.map((piece) => (typeof piece === 'string' ? piece : textOf(piece.argument))).join('');
  for (const piece of segment) {
    if (typeof piece === 'string') continue;
    const { argument } = piece;
    if (forbiddenInPath.test(textOf(argument)))
      return { argument, message: 'expected a text without / \\ ? #, encoded and control characters' };
    if (/^\.{0,2}$/.test(filled) || textOf(argument) === '')
      return { argument, message: 'expected a text that is not empty, . or ..' };
  }
  return undefined;
};
