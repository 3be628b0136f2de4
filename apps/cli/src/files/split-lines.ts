/**
 * Splits a stream of bytes into lines without their line breaks. Memory is bounded by the longest line allowed; a
 * longer line comes without its bytes.
 */
type Line = {
  /** From 1. */
  readonly number: number;
  /** Undefined when it is longer than allowed. */
  readonly bytes: Uint8Array | undefined;
};

const lineFeed = 0x0a;

export const splitLines = async function* (
  stream: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length > lineBytesMax) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (): Line => {
    const bytes = length > lineBytesMax ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { number: number++, bytes };
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
};
