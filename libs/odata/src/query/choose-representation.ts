/**
 * Which representation answers a request: by `$format`, `Accept` and the versions that the client takes. Of several the
 * more specific one, then the one that is offered first.
 */
import { type MediaRange, parseMediaRange, parseMediaRanges, qualityOf } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';

export type RepresentationRequest = {
  readonly $format?: string | undefined;
  readonly accept?: string | undefined;
  readonly odataVersion?: string | undefined;
  readonly odataMaxVersion?: string | undefined;
};

export const chooseRepresentation = (kind: AnswerKind, request: RepresentationRequest): Result<Representation> => {
  const version = chooseVersion(request);
  if (!version.ok) return version;
  const { $format, accept } = request;
  const chosen = $format === undefined ? byAccept(kind, accept ?? '', version.value) : byFormat(kind, $format);
  if (chosen) return succeed({ version: version.value, ...chosen });
  const there = mediaTypeOffersOf(kind).map(({ mediaType }) => mediaType);
  const path = $format === undefined ? 'Accept' : '$format';
  const asked = quoteShortened($format ?? accept ?? '');
  const message = `${path} asks for ${asked}, which is not written here; ask for ${there.join(' or ')}, with no other parameters than those of OData.`;
  return fail('ODATA_FORMAT_UNSUPPORTED', message, {
    faults: [{ in: $format === undefined ? 'header' : 'query', path, rule: 'format', message }],
  });
};

/** As it was asked for, as far as it helps. */
const quoteShortened = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);

type MediaTypeChoice = Omit<Representation, 'version'>;

const byFormat = (kind: AnswerKind, $format: string): MediaTypeChoice | undefined => {
  const [shorthand = '', ...parameters] = $format.split(';');
  const mediaType = formatShorthandsOf(kind).get(shorthand.trim().toLowerCase());
  // A plus that was not encoded came as a space.
  const text = [mediaType ?? shorthand.trim().replace(/ (?=xml$)/i, '+'), ...parameters].join(';');
  const range = parseMediaRange(text);
  if (!range || range.quality === 0) return undefined;
  // What is asked for beside /$count and /$value has no meaning there, so that clients that always ask for JSON are answered.
  if (isPlainText(kind) && range.type === 'application/json') return mediaTypeOffersOf(kind)[0]?.write([]);
  return mediaTypeOffersOf(kind)
    .find(({ mediaType }) => mediaType === range.type)
    ?.write(range.parameters);
};

const byAccept = (kind: AnswerKind, accept: string, version: ODataVersion): MediaTypeChoice | undefined => {
  const ranges = parseMediaRanges(accept);
  const offers = mediaTypeOffersOf(kind);
  if (ranges.length === 0) return offers[0]?.write([]);
  const candidates = offers.flatMap((offer) => candidatesOf(offer, ranges));
  const welcome = candidates.filter(({ quality }) => quality > 0);
  // Clients of 4.0 read metadata as XML, whatever they say of JSON for the sake of data.
  const inXml = kind === 'metadata' && version === '4.0' ? welcome.filter(isXml) : [];
  const [first, ...others] = inXml.length > 0 ? inXml : welcome;
  if (first) return others.reduce((most, next) => (isBetter(next, most) ? next : most), first).written;
  // A count or a raw value is plain text by the standard; only who says so does not get it.
  return isPlainText(kind) && candidates.length === 0 ? offers[0]?.write([]) : undefined;
};

const isPlainText = (kind: AnswerKind): boolean => kind === 'count' || kind === 'value';

/** `specificity`: as of ranges; a range with parameters is the most specific. */
type Candidate = { readonly quality: number; readonly specificity: number; readonly written: MediaTypeChoice };

const isXml = ({ written }: Candidate): boolean => written.format.kind === 'xml';

const isBetter = (left: Candidate, right: Candidate): boolean =>
  left.quality === right.quality ? left.specificity > right.specificity : left.quality > right.quality;

/** The media type as ranges without parameters want it, and as each range with parameters does. */
const candidatesOf = ({ mediaType, write }: MediaTypeOffer, ranges: readonly MediaRange[]): readonly Candidate[] => {
  const detailed = ranges.filter(({ parameters, type }) => parameters.length > 0 && type === mediaType);
  const welcome = qualityOf(
    mediaType,
    ranges.filter(({ parameters }) => parameters.length === 0),
  );
  return [
    ...detailed.map(({ quality, parameters }) => ({ quality, specificity: 3, written: write(parameters) })),
    ...(welcome ? [{ ...welcome, written: write([]) }] : []),
  ].flatMap(({ written, ...candidate }) => (written ? [{ ...candidate, written }] : []));
};

const versionPattern = /^\d{1,9}(?:\.\d{1,20})?$/;

const chooseVersion = ({ odataVersion, odataMaxVersion }: RepresentationRequest): Result<ODataVersion> => {
  const asked = odataVersion?.trim();
  if (asked !== undefined && asked !== '4.0' && asked !== '4.01')
    return versionFault('OData-Version', 'OData-Version is 4.0 or 4.01.');
  if (odataMaxVersion === undefined) return succeed('4.01');
  const most = odataMaxVersion.trim();
  if (!versionPattern.test(most) || Number(most) < 4)
    return versionFault('OData-MaxVersion', 'OData-MaxVersion is a version such as 4.0 or 4.01, not before 4.0.');
  return succeed(Number(most) < 4.01 ? '4.0' : '4.01');
};

const versionFault = (path: string, message: string): Result<never> =>
  fail('GENERAL_PARAMETER_ILLEGAL', message, { faults: [{ in: 'header', path, rule: 'version', message }] });

/** How an answer is written, decided from `$format`, `Accept` and the versions that a client takes. */
export type ODataVersion = '4.0' | '4.01';

/** What is answered. */
export type AnswerKind =
  | 'service'
  | 'metadata'
  | 'entries'
  | 'groups'
  | 'entry'
  | 'references'
  | 'property'
  | 'count'
  | 'value';

export type MetadataLevel = 'none' | 'minimal' | 'full';

export type Representation = {
  readonly version: ODataVersion;
  /** As it is sent, with the parameters that were asked for. */
  readonly contentType: string;
  readonly format:
    | { readonly kind: 'json'; readonly metadata: MetadataLevel; readonly ieee754Compatible: boolean }
    | { readonly kind: 'xml' }
    | { readonly kind: 'text' };
};

type Parameters = readonly (readonly [name: string, value: string])[];

export type MediaTypeOffer = {
  readonly mediaType: string;
  /** Undefined: there is a parameter that it does not take. */
  readonly write: (parameters: Parameters) => Omit<Representation, 'version'> | undefined;
};

const jsonType = 'application/json';
const charset = 'charset=utf-8';
const metadataLevels: readonly MetadataLevel[] = ['none', 'minimal', 'full'];

const jsonOffer = (showsMetadata: boolean): MediaTypeOffer => ({
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
const xmlOffer = (mediaType: string, type?: 'feed' | 'entry'): MediaTypeOffer => ({
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

const textOffer: MediaTypeOffer = {
  mediaType: 'text/plain',
  write: (parameters) =>
    parameters.every(([name, value]) => name === 'charset' && isUtf8(value.toLowerCase()))
      ? { contentType: `text/plain;${charset}`, format: { kind: 'text' } }
      : undefined,
};

const plainXmlOffer = xmlOffer('application/xml');
const offersByKind: Readonly<Record<AnswerKind, readonly MediaTypeOffer[]>> = {
  service: [jsonOffer(true), xmlOffer('application/atomsvc+xml'), plainXmlOffer],
  metadata: [plainXmlOffer, jsonOffer(false)],
  entries: [jsonOffer(true), xmlOffer('application/atom+xml', 'feed'), plainXmlOffer],
  groups: [jsonOffer(true)],
  entry: [jsonOffer(true), xmlOffer('application/atom+xml', 'entry'), plainXmlOffer],
  references: [jsonOffer(true)],
  property: [jsonOffer(true), plainXmlOffer],
  count: [textOffer],
  value: [textOffer],
};

export const mediaTypeOffersOf = (kind: AnswerKind): readonly MediaTypeOffer[] => offersByKind[kind];

/** `$format=atom` is the Atom document of the kind; `xml` what is written as XML, called so. */
export const formatShorthandsOf = (kind: AnswerKind): ReadonlyMap<string, string> =>
  new Map([
    ['json', jsonType],
    ['xml', plainXmlOffer.mediaType],
    ...(kind === 'service' ? [['atom', 'application/atomsvc+xml'] as const] : []),
    ...(kind === 'entries' || kind === 'entry' ? [['atom', 'application/atom+xml'] as const] : []),
  ]);
