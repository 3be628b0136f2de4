/**
 * Where a page ended <-> the text that leads on from there: encrypted and authenticated, bound to what it belongs to.
 * Refuses: texts that were changed, cut, made by somebody else or for another order.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fail, type Result, succeed } from '@tessera/failures';

/** The secret of all replicas (32 bytes), and what tokens belong to beside the order: team and model. */
export type TokenSeal = { readonly key: Uint8Array; readonly binding: string };

export type PlaceValues = readonly (string | null)[];

const algorithm = 'aes-256-gcm';
/** Of the form of tokens; another number makes those before it invalid. */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const charactersMax = 40_000;

/** `binding` is authenticated, not contained. */
export const sealToken = (key: Uint8Array, binding: string, values: PlaceValues): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(binding));
  const sealed = [cipher.update(JSON.stringify(values), 'utf8'), cipher.final()];
  return Buffer.concat([Uint8Array.of(version), nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
};

export const openToken = (key: Uint8Array, binding: string, token: string): Result<PlaceValues> => {
  const values = token.length <= charactersMax ? unseal(key, binding, token) : undefined;
  if (values) return succeed(values);
  const message = '$skiptoken is not one that was given for this order; leave it out to begin again.';
  return fail('GENERAL_PARAMETER_ILLEGAL', message, {
    faults: [{ in: 'query', path: '$skiptoken', rule: 'token', message }],
  });
};

const unseal = (key: Uint8Array, binding: string, token: string): PlaceValues | undefined => {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= 1 + nonceBytes + tagBytes || bytes[0] !== version) return undefined;
  // What is no base64url was passed over.
  if (bytes.toString('base64url') !== token) return undefined;
  const nonce = bytes.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(binding));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    return placeValues(JSON.parse(text));
  } catch {
    // Only the tag tells whether it is one of ours, and it tells by throwing.
    return undefined;
  }
};

const placeValues = (value: unknown): PlaceValues | undefined =>
  Array.isArray(value) && value.every((each) => each === null || typeof each === 'string') ? value : undefined;
