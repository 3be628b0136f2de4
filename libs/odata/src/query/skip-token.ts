/**
 * Where a page ended <-> the text that leads on from there: encrypted and authenticated, bound to what it belongs to.
 * Never accepts a token that was changed, cut or made for another order.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The secret of all replicas (32 bytes), and what tokens belong to beside the order: team and model. */
export type TokenSeal = { readonly key: Uint8Array; readonly binding: string };

export type KeysetValues = readonly (string | null)[];

const algorithm = 'aes-256-gcm';
/** Of the form of tokens; another number makes those before it invalid. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const charactersMax = 40_000;
/** Values are filled up to a multiple of it: ciphers keep secret what is said, not how much. */
const blockBytes = 256;

/** `binding` is not contained. */
export const sealToken = (key: Uint8Array, binding: string, values: KeysetValues): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(key, binding), nonce);
  const sealed = [cipher.update(filledUp(JSON.stringify(values)), 'utf8'), cipher.final()];
  return Buffer.concat([Uint8Array.of(version), nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
};

/** Undefined: it is none that was given for this binding. */
export const openToken = (key: Uint8Array, binding: string, token: string): KeysetValues | undefined => {
  if (token.length > charactersMax) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= 1 + nonceBytes + tagBytes || bytes[0] !== version) return undefined;
  // What is no base64url was passed over.
  if (bytes.toString('base64url') !== token) return undefined;
  const nonce = bytes.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv(algorithm, keyOf(key, binding), nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    return placeValues(JSON.parse(text));
  } catch {
    // Only the tag tells whether it is one of ours, and it tells by throwing.
    return undefined;
  }
};

/** One for each binding: under one key there may be 2^32 random nonces and no more, which all teams together might reach. */
const keyOf = (key: Uint8Array, binding: string): Uint8Array => createHmac('sha256', key).update(binding).digest();

/** With spaces, which JSON passes over. */
const filledUp = (json: string): string => {
  const bytes = Buffer.byteLength(json);
  return json + ' '.repeat(Math.ceil(bytes / blockBytes) * blockBytes - bytes);
};

const placeValues = (value: unknown): KeysetValues | undefined =>
  Array.isArray(value) && value.every((each) => each === null || typeof each === 'string') ? value : undefined;
