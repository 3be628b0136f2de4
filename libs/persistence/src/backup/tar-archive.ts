/**
 * A POSIX tar (ustar) of plain files, so that any tar lists and unpacks it. Reading is strict: a header must equal, byte for
 * byte, the one that would be written, so there are no links, long names or paths to check. Never reads an entry that is larger
 * than the caller allows for its name.
 */
import { BackupFault } from './backup-fault.js';

const blockBytes = 512;
const endOfArchive = Buffer.alloc(2 * blockBytes);

export type TarEntry = { readonly name: string; readonly bytes: Buffer };

const headerOf = (name: string, size: number): Buffer => {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 100, 'ascii');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** The bytes of a tar with these entries. */
export async function* encodeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const { name, bytes } of entries) {
    yield headerOf(name, bytes.length);
    yield bytes;
    yield Buffer.alloc(paddingOf(bytes.length));
  }
  yield endOfArchive;
}

/** `sizeMax`: undefined for a name that the archive must not have. */
export async function* decodeTar(
  bytes: AsyncIterable<Buffer>,
  sizeMax: (name: string) => number | undefined,
): AsyncGenerator<TarEntry> {
  const source = exactReader(bytes);
  for (;;) {
    const header = await source.read(blockBytes);
    if (header.every((byte) => byte === 0)) {
      if (!(await source.read(blockBytes)).every((byte) => byte === 0)) throw invalidHeader;
      if (!(await source.isAtEnd())) throw new BackupFault('the archive goes on after its end');
      return;
    }
    const { name, size } = parseHeader(header);
    const most = sizeMax(name);
    if (most === undefined)
      throw new BackupFault(`the archive has an entry ${JSON.stringify(name)}, which no backup has`);
    if (size > most) throw new BackupFault(`the entry ${name} of the archive has ${size} bytes; ${most} are allowed`);
    const content = await source.read(size);
    await source.read(paddingOf(size));
    yield { name, bytes: content };
  }
}

const invalidHeader = new BackupFault(
  'the archive has a header that no backup has: it is damaged, or was not written by tessera backup',
);

const parseHeader = (header: Buffer): { readonly name: string; readonly size: number } => {
  const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '');
  const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
  if (!/^[\x21-\x7e]+$/.test(name) || !Number.isInteger(size) || !headerOf(name, size).equals(header))
    throw invalidHeader;
  return { name, size };
};

/** Exactly so many bytes at a time, whatever the pieces are in which they come. */
const exactReader = (source: AsyncIterable<Buffer>) => {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const read = async (size: number): Promise<Buffer> => {
    const taken: Buffer[] = [];
    let missing = size;
    while (missing > 0) {
      if (rest.length === 0) {
        const next = await pieces.next();
        if (next.done === true) throw new BackupFault('the archive is cut off');
        rest = next.value;
      }
      const piece = rest.subarray(0, missing);
      rest = rest.subarray(piece.length);
      missing -= piece.length;
      taken.push(piece);
    }
    return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
  };
  const isAtEnd = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await pieces.next();
      if (next.done === true) return true;
      rest = next.value;
    }
    return false;
  };
  return { read, isAtEnd };
};
