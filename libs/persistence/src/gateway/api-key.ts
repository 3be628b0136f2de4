/**
 * The text of an API key: `tsk_<id>_<secret>_<checksum>`, base62. The checksum catches typos without a database query.
 * Only the digest is stored; a key is shown when it is created and never again.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type MintedKey = {
  readonly keyId: string;
  /** The whole key; shown once. */
  readonly key: string;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
};

const keyPrefix = 'tsk_';
const idLength = 12;
const secretLength = 40;
const checksumLength = 6;
const apiKeyPattern = new RegExp(
  `^tsk_([0-9A-Za-z]{${idLength}})_[0-9A-Za-z]{${secretLength}}_([0-9A-Za-z]{${checksumLength}})$`,
);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** True when the text starts like a key, even a damaged one; anything else is a token. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(keyPrefix);

export const mintApiKey = (): MintedKey => {
  const keyId = randomText(idLength);
  const unsigned = `${keyPrefix}${keyId}_${randomText(secretLength)}`;
  const key = `${unsigned}_${checksumOf(unsigned)}`;
  return { keyId, key, digest: digestOf(key) };
};

/** Parses a key; undefined when its shape or its checksum is wrong. */
export const parseApiKey = (key: string): MintedKey | undefined => {
  const keyId = parseApiKeyId(key);
  return keyId === undefined ? undefined : { keyId, key, digest: digestOf(key) };
};

/** The id of a key; undefined when its shape or its checksum is wrong. */
export const parseApiKeyId = (key: string): string | undefined => {
  const [, keyId, checksum] = apiKeyPattern.exec(key) ?? [];
  return keyId !== undefined && checksumOf(key.slice(0, -checksumLength - 1)) === checksum ? keyId : undefined;
};

/** Compares the key with a stored digest in constant time. */
export const apiKeyMatches = (key: string, digest: Uint8Array): boolean => {
  const own = digestOf(key);
  return own.length === digest.length && timingSafeEqual(own, digest);
};

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

const checksumOf = (text: string): string => {
  let rest = crc32(text);
  let result = '';
  while (result.length < checksumLength) {
    result = alphabet.charAt(rest % alphabet.length) + result;
    rest = Math.floor(rest / alphabet.length);
  }
  return result;
};

/** Bytes at or above the largest multiple of 62 are discarded, so that every letter is equally likely. */
const fairBytesEnd = 256 - (256 % alphabet.length);

const randomText = (length: number): string => {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < fairBytesEnd && text.length < length) text += alphabet.charAt(byte % alphabet.length);
  return text;
};
