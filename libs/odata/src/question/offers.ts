/** What can be written for each kind of answer, in the order of preference, and which parameters a media type takes. */
import type { AnswerKind, MetadataLevel, Representation } from './representation.js';

type Parameters = readonly (readonly [name: string, value: string])[];

export type Offer = {
  readonly mediaType: string;
  /** Undefined: there is a parameter that it does not take. */
  readonly write: (parameters: Parameters) => Omit<Representation, 'version'> | undefined;
};

const jsonType = 'application/json';
const charset = 'charset=utf-8';
const metadataLevels: readonly MetadataLevel[] = ['none', 'minimal', 'full'];

const json = (showsMetadata: boolean): Offer => ({
  mediaType: jsonType,
  write: (parameters) => {
    const found = readJsonParameters(parameters);
    if (!found) return undefined;
    const { metadata, isStreaming, ieee754Compatible } = found;
    const contentType = [
      jsonType,
      ...(showsMetadata ? [`odata.metadata=${metadata}`] : []),
      ...(isStreaming ? ['odata.streaming=true'] : []),
      ...(ieee754Compatible ? ['IEEE754Compatible=true'] : []),
      charset,
    ].join(';');
    return { contentType, format: { kind: 'json', metadata, ieee754Compatible } };
  },
});

type JsonParameters = {
  readonly metadata: MetadataLevel;
  readonly isStreaming: boolean;
  readonly ieee754Compatible: boolean;
};

const readJsonParameters = (parameters: Parameters): JsonParameters | undefined => {
  let found: JsonParameters = { metadata: 'minimal', isStreaming: false, ieee754Compatible: false };
  for (const [name, text] of parameters) {
    const value = text.toLowerCase();
    const isTrue = value === 'true';
    const level = metadataLevels.find((each) => each === value);
    if (name === 'charset' && isUtf8(value)) continue;
    if (/^(?:odata\.)?metadata$/.test(name) && level) found = { ...found, metadata: level };
    else if (!isTrue && value !== 'false') return undefined;
    else if (/^(?:odata\.)?streaming$/.test(name)) found = { ...found, isStreaming: isTrue };
    else if (name === 'ieee754compatible') found = { ...found, ieee754Compatible: isTrue };
    // Numbers without exponents are right in either case.
    else if (name !== 'exponentialdecimals') return undefined;
  }
  return found;
};

const isUtf8 = (value: string): boolean => value === 'utf-8' || value === 'utf8';

/** `type`: what an Atom document holds; it is said again when it was asked for. */
const xml = (mediaType: string, type?: 'feed' | 'entry'): Offer => ({
  mediaType,
  write: (parameters) => {
    const isKnown = ([name, value]: Parameters[number]): boolean =>
      name === 'charset' ? isUtf8(value.toLowerCase()) : name === 'type' && value.toLowerCase() === type;
    if (!parameters.every(isKnown)) return undefined;
    const isTyped = type !== undefined && parameters.some(([name]) => name === 'type');
    const contentType = [mediaType, ...(isTyped ? [`type=${type}`] : []), charset].join(';');
    return { contentType, format: { kind: 'xml' } };
  },
});

const text: Offer = {
  mediaType: 'text/plain',
  write: (parameters) =>
    parameters.every(([name, value]) => name === 'charset' && isUtf8(value.toLowerCase()))
      ? { contentType: `text/plain;${charset}`, format: { kind: 'text' } }
      : undefined,
};

const plainXml = xml('application/xml');
const offers: Readonly<Record<AnswerKind, readonly Offer[]>> = {
  service: [json(true), xml('application/atomsvc+xml'), plainXml],
  metadata: [plainXml, json(false)],
  entries: [json(true), xml('application/atom+xml', 'feed'), plainXml],
  entry: [json(true), xml('application/atom+xml', 'entry'), plainXml],
  count: [text],
};

export const offersOf = (kind: AnswerKind): readonly Offer[] => offers[kind];

/** `$format=atom` is the Atom document of the kind; `xml` what is written as XML, called so. */
export const shorthandsOf = (kind: AnswerKind): ReadonlyMap<string, string> =>
  new Map([
    ['json', jsonType],
    ['xml', plainXml.mediaType],
    ...(kind === 'service' ? [['atom', 'application/atomsvc+xml'] as const] : []),
    ...(kind === 'entries' || kind === 'entry' ? [['atom', 'application/atom+xml'] as const] : []),
  ]);
