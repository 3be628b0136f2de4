import { describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, ResponseReader } from './response-reader.js';

const lengthForm = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
const chunkedForm =
  'HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0a\r\n0123456789\r\n0\r\n\r\n';
const emptyForm = 'HTTP/1.1 503 Away\r\ncontent-length: 0\r\n\r\n';

const readIn = (
  text: string,
  pieceLength: number,
): { readonly ends: readonly ReceivedResponse[]; readonly body: string } => {
  const ends: ReceivedResponse[] = [];
  let body = '';
  const reader = new ResponseReader(
    (end) => ends.push(end),
    (bytes) => (body += bytes.toString()),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) reader.push(bytes.subarray(at, at + pieceLength));
  return { ends, body };
};

describe('ResponseReader', () => {
  it.each([1, 2, 3, 7, 64, 10_000])('finds the ends of responses in chunks of %i bytes', (pieceLength) => {
    const { ends, body } = readIn(lengthForm + chunkedForm + emptyForm + lengthForm, pieceLength);
    expect(ends).toEqual([
      { status: 200, bodyBytes: 5 },
      { status: 404, bodyBytes: 13 },
      { status: 503, bodyBytes: 0 },
      { status: 200, bodyBytes: 5 },
    ]);
    expect(body).toBe('helloabc0123456789hello');
  });

  it('returns nothing before a response is complete', () => {
    expect(readIn(chunkedForm.slice(0, -1), 5).ends).toEqual([]);
    expect(readIn(lengthForm.slice(0, -1), 5).ends).toEqual([]);
  });

  it('does not guess the end of a response without a length', () => {
    expect(() => readIn('HTTP/1.1 200 OK\r\n\r\nhello', 100)).toThrow('no length');
  });
});
