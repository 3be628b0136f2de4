/**
 * `$format` or `Accept`, and the versions that a client takes -> how an answer is written. The most specific range that
 * fits says how much a format is welcome; of what is welcome alike the more specific one, then the one that is offered
 * first.
 */
import { type MediaRange, readMediaRange, readMediaRanges, welcomeOf } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import { type Offer, offersOf, shorthandsOf } from './offers.js';
import type { AnswerKind, ODataVersion, Representation } from './representation.js';

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
  const there = offersOf(kind).map(({ mediaType }) => mediaType);
  const path = $format === undefined ? 'Accept' : '$format';
  const asked = quoted($format ?? accept ?? '');
  const message = `${path} asks for ${asked}, which is not written here; ask for ${there.join(' or ')}, with no other parameters than those of OData.`;
  return fail('ODATA_FORMAT_UNSUPPORTED', message, {
    faults: [{ in: $format === undefined ? 'header' : 'query', path, rule: 'format', message }],
  });
};

/** As it was asked for, as far as it helps. */
const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);

type Written = Omit<Representation, 'version'>;

const byFormat = (kind: AnswerKind, $format: string): Written | undefined => {
  const [shorthand = '', ...parameters] = $format.split(';');
  const mediaType = shorthandsOf(kind).get(shorthand.trim().toLowerCase());
  // A plus that was not encoded came as a space.
  const text = [mediaType ?? shorthand.trim().replace(/ (?=xml$)/i, '+'), ...parameters].join(';');
  const range = readMediaRange(text);
  if (!range || range.quality === 0) return undefined;
  // What is asked for beside /$count has no meaning there, so that clients that always ask for JSON are answered.
  if (kind === 'count' && range.type === 'application/json') return offersOf(kind)[0]?.write([]);
  return offersOf(kind)
    .find(({ mediaType }) => mediaType === range.type)
    ?.write(range.parameters);
};

const byAccept = (kind: AnswerKind, accept: string, version: ODataVersion): Written | undefined => {
  const ranges = readMediaRanges(accept);
  const offers = offersOf(kind);
  if (ranges.length === 0) return offers[0]?.write([]);
  const candidates = offers.flatMap((offer) => candidatesOf(offer, ranges));
  const welcome = candidates.filter(({ quality }) => quality > 0);
  // Clients of 4.0 read metadata as XML, whatever they say of JSON for the sake of data.
  const inXml = kind === 'metadata' && version === '4.0' ? welcome.filter(isXml) : [];
  const [first, ...others] = inXml.length > 0 ? inXml : welcome;
  if (first) return others.reduce((most, next) => (isBetter(next, most) ? next : most), first).written;
  // A count is plain text by the standard; only who says so does not get it.
  return kind === 'count' && candidates.length === 0 ? offers[0]?.write([]) : undefined;
};

/** `specificity`: as of ranges; a range with parameters is the most specific. */
type Candidate = { readonly quality: number; readonly specificity: number; readonly written: Written };

const isXml = ({ written }: Candidate): boolean => written.format.kind === 'xml';

const isBetter = (left: Candidate, right: Candidate): boolean =>
  left.quality === right.quality ? left.specificity > right.specificity : left.quality > right.quality;

/** The media type as ranges without parameters want it, and as each range with parameters does. */
const candidatesOf = ({ mediaType, write }: Offer, ranges: readonly MediaRange[]): readonly Candidate[] => {
  const detailed = ranges.filter(({ parameters, type }) => parameters.length > 0 && type === mediaType);
  const welcome = welcomeOf(
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
