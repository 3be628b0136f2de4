/** Batches of `multipart/mixed`, which clients of OData 4.0 send, as the same batches in JSON. */
import type { BatchPart } from '@tessera/contracts/knowledge-models';
import { fail, type Result, succeed } from '@tessera/failures';

export const isMultipart = (contentType = ''): boolean => /^\s*multipart\/mixed\s*(?:;|$)/i.test(contentType);

/** What is read of a batch: one part more than a batch may have tells that it has too many. */
const partsMax = 101;
const partCharactersMax = 128 * 1024;
const headersMax = 100;

/** A body of which nothing is closed by its last boundary is cut, and refused. */
export const parseMultipartBatch = (
  bytes: Uint8Array,
  contentType: string,
): Result<{ readonly requests: readonly Partial<BatchPart>[] }> => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || boundary.length > 200)
    return malformedBatch(
      'Content-Type has no boundary of up to 200 characters; expected multipart/mixed; boundary=NAME',
    );
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return malformedBatch('it is not UTF-8');
  }
  const delimiter = new RegExp(`(?:^|\\r?\\n)--${boundary.replaceAll(/\W/g, '\\$&')}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g');
  const requests: Partial<BatchPart>[] = [];
  let begin: number | undefined;
  for (const found of text.matchAll(delimiter)) {
    if (begin !== undefined) {
      const part = parsePart(text.slice(begin, found.index), requests.length + 1);
      if (!part.ok) return part;
      requests.push(part.value);
    }
    if (found[1] !== undefined || requests.length === partsMax) return succeed({ requests });
    begin = found.index + found[0].length;
  }
  return malformedBatch(`expected --${boundary} before each part, and --${boundary}-- behind the last`);
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const malformedBatch = (what: string) => fail('GENERAL_BODY_MALFORMED', `The body is no batch: ${what}.`);

const shorten = (text: string): string => text.slice(0, 60).toWellFormed();

/** A part is numbered from 1 unless it has an id. */
const parsePart = (text: string, number: number): Result<Partial<BatchPart>> => {
  if (text.length > partCharactersMax)
    return malformedBatch(`part ${number} is longer than ${partCharactersMax} characters`);
  const [partHead, message] = splitAtBlankLine(text.replace(/^\r?\n/, ''));
  const partHeaders = headersIn(partHead);
  const type = partHeaders.get('content-type') ?? '';
  const id = partHeaders.get('content-id') ?? String(number);
  if (!/^[\x21-\x7e]{1,128}$/.test(id))
    return malformedBatch(`part ${number} has a Content-ID of other than up to 128 visible ASCII characters`);
  // Parts that write, together.
  if (isMultipart(type)) return succeed({ id, method: 'changeset', url: '.' });
  if (!/^application\/http\s*(?:;|$)/i.test(type))
    return malformedBatch(`part ${number} is of the type "${shorten(type)}"; expected Content-Type: application/http`);
  const [head, body] = splitAtBlankLine(message);
  const [line = '', ...lines] = head.split(/\r?\n/);
  if (lines.length > headersMax) return malformedBatch(`part ${number} has more than ${headersMax} headers`);
  const [afterMethod, beforeVersion] = [line.indexOf(' '), line.lastIndexOf(' HTTP/')];
  const [method, url] = [line.slice(0, afterMethod), line.slice(afterMethod, beforeVersion).trim()];
  if (afterMethod < 1 || url === '' || !/^ HTTP\/\d(?:\.\d)?\s*$/.test(line.slice(beforeVersion)))
    return malformedBatch(`part ${number} begins with "${shorten(line)}"; expected GET URL HTTP/1.1`);
  const headers = Object.fromEntries(headersIn(lines.join('\n')));
  return succeed({ id, method, url, headers, ...(body.trim() !== '' && { body }) });
};

const splitAtBlankLine = (text: string): readonly [string, string] => {
  const found = /\r?\n\r?\n/.exec(text);
  // A head that is empty ends with the first line.
  if (/^\r?\n/.test(text)) return ['', text.replace(/^\r?\n/, '')];
  return found ? [text.slice(0, found.index), text.slice(found.index + found[0].length)] : [text, ''];
};

const headersIn = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
    }),
  );
