import { createHash } from 'node:crypto';

const newline = 10;

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export const countLines = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
};

const escapeByCharacter: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The same first value for each line; lines may be cut anywhere between two calls. */
export const createValuePrepender = (value: string): ((bytes: Buffer) => Buffer) => {
  const prefix = Buffer.from(`${value.replaceAll(/[\\\t\n\r]/g, (sign) => escapeByCharacter[sign] ?? sign)}\t`);
  let isAtStart = true;
  return (bytes) => {
    const pieces: Buffer[] = [];
    for (let start = 0; start < bytes.length;) {
      if (isAtStart) pieces.push(prefix);
      const end = bytes.indexOf(newline, start);
      isAtStart = end !== -1;
      const line = bytes.subarray(start, isAtStart ? end + 1 : bytes.length);
      pieces.push(line);
      start += line.length;
    }
    return Buffer.concat(pieces);
  };
};
