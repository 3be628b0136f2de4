/**
 * The body of a response that holds a secret, encrypted under the Idempotency-Key of its request: AES-256-GCM with a key
 * derived by HKDF-SHA-256. Only a digest of the Idempotency-Key is stored, so the table alone decrypts nothing. A guessable
 * Idempotency-Key stays guessable: HKDF is fast.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyPurpose = 'tessera kept answer';
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;

/** `context` is authenticated: a body sealed for one context does not open in another. */
export const sealBody = (secret: string, context: string, body: string): string => {
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret, salt), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]).toString('base64');
};

/** Throws when it was sealed under another secret or for another context, or was changed. */
export const unsealBody = (secret: string, context: string, text: string): string => {
  const bytes = Buffer.from(text, 'base64');
  const salt = bytes.subarray(0, saltBytes);
  const nonce = bytes.subarray(saltBytes, saltBytes + nonceBytes);
  const tag = bytes.subarray(saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, keyOf(secret, salt), nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  const sealed = bytes.subarray(saltBytes + nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
};

const keyOf = (secret: string, salt: Buffer): Buffer => Buffer.from(hkdfSync('sha256', secret, salt, keyPurpose, 32));
