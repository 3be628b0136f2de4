/**
 * The text of a file of rows as it comes, in Node and in browsers: gzip is unpacked, the encoding is that of the byte order mark. Never
 * replaces bytes that are not of the encoding: they are told with their place. Memory holds a chunk.
 */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** Nothing comes after a fault. `offset` counts the bytes before it, of the unpacked file. */
  | { readonly kind: 'encoding'; readonly encoding: Encoding; readonly byte: number; readonly offset: number }
  | { readonly kind: 'compression' };

/** That a file begins as gzip does and does not go on so. */
class DamagedGzip extends Error {}

/** `encoding`: detected when absent. */
export const readText = async function* (
  file: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
): AsyncGenerator<TextPiece, undefined> {
  try {
    const { start, chunks } = await peek(unpack(file), 2);
    yield* decode(chunks, encoding ?? detectEncoding(start));
  } catch (error) {
    if (!(error instanceof DamagedGzip)) throw error;
    yield { kind: 'compression' };
  }
};

/** Text without a mark has no NUL, so one in the first two bytes is half of a character. */
export const detectEncoding = ([first = 1, second = 1]: Uint8Array): Encoding => {
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return 'utf-16be';
  return 'utf-8';
};

/** The bytes of a file, unpacked when it begins as gzip does. */
export const unpack = async function* (file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const { start, chunks } = await peek(file, 2);
  yield* start[0] === 0x1f && start[1] === 0x8b ? gunzip(chunks) : chunks;
};

const gunzip = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  const failed: unknown[] = [];
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const next: IteratorResult<Uint8Array, unknown> = await source.next();
        if (next.done === true) controller.close();
        else controller.enqueue(new Uint8Array(next.value));
      } catch (error) {
        failed.push(error);
        throw error;
      }
    },
    cancel: async () => {
      await source.return?.();
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const next = await reader.read().catch((): never => {
        throw failed.length > 0 ? failed[0] : new DamagedGzip();
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};

/** At least `length` bytes, when the file has as many, and the whole file again. */
const peek = async (file: AsyncIterable<Uint8Array>, length: number) => {
  const source = file[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  while (start.length < length) {
    const next: IteratorResult<Uint8Array, unknown> = await source.next();
    if (next.done === true) break;
    start = join(start, next.value);
  }
  const chunks = async function* (): AsyncGenerator<Uint8Array, undefined> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => source };
  };
  return { start, chunks: chunks() };
};

const join = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
};

const decode = async function* (
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<TextPiece, undefined> {
  const decoder = decoderOf(encoding);
  let rest: Uint8Array = new Uint8Array();
  let offset = 0;
  for await (const chunk of chunks) {
    const bytes = join(rest, chunk);
    const end = endOfCharacters(bytes, encoding);
    const bad =
      decodesTo(decoder, bytes.subarray(0, end)) === undefined ? findBadCharacter(bytes, encoding) : undefined;
    const text = decodesTo(decoder, bytes.subarray(0, bad ?? end)) ?? '';
    yield { kind: 'text', text: offset === 0 ? text.replace(/^\uFEFF/, '') : text };
    if (bad !== undefined) {
      yield { kind: 'encoding', encoding, byte: bytes[bad] ?? 0, offset: offset + bad };
      return;
    }
    rest = bytes.subarray(end);
    offset += end;
  }
  const [byte] = rest;
  if (byte !== undefined) yield { kind: 'encoding', encoding, byte, offset };
};

const decoderOf = (encoding: Encoding) => new TextDecoder(encoding, { fatal: true, ignoreBOM: true });

const decodesTo = (decoder: ReturnType<typeof decoderOf>, bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Where a character begins that goes on behind the bytes, else their length. */
const endOfCharacters = (bytes: Uint8Array, encoding: Encoding): number => {
  const { length } = bytes;
  if (encoding === 'windows-1252') return length;
  if (encoding === 'utf-8') {
    for (let back = 1; back <= 3 && back <= length; back += 1) {
      const byte = bytes[length - back] ?? 0;
      if (byte >= 0xc0) return back < bytesOfCharacter(byte) ? length - back : length;
    }
    return length;
  }
  const even = length - (length % 2);
  const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
  return high >= 0xd8 && high < 0xdc ? even - 2 : even;
};

const bytesOfCharacter = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);

/** Where the first character begins that is none; there is one. */
const findBadCharacter = (bytes: Uint8Array, encoding: Encoding): number => {
  let [right, wrong] = [0, bytes.length];
  while (wrong - right > 1) {
    const middle = (right + wrong) >> 1;
    try {
      decoderOf(encoding).decode(bytes.subarray(0, middle), { stream: true });
      right = middle;
    } catch {
      wrong = middle;
    }
  }
  return endOfCharacters(bytes.subarray(0, right), encoding);
};
