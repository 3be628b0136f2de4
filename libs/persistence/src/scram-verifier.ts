/**
 * The form in which PostgreSQL stores a password (SCRAM-SHA-256), computed here so that the password itself appears in no
 * log or statistics of the server. Rejects characters beyond ASCII, which PostgreSQL would normalise before hashing.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const iterations = 4_096;
const keyBytes = 32;
const saltBytes = 16;

export const createScramVerifier = (password: string, salt = randomBytes(saltBytes)): string => {
  if (!/^[\x20-\x7e]+$/.test(password)) throw new Error('a password of a role has letters of ASCII only');
  const salted = pbkdf2Sync(password, salt, iterations, keyBytes, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
};
