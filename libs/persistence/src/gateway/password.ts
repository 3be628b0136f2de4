/**
 * Passwords as argon2id makes them, in the text form of the reference implementation: `$argon2id$v=19$m=..,t=..,p=..$salt$hash`.
 * Hashing takes tens of milliseconds and 19 MiB: callers bound how many run at once.
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

type Costs = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** The smallest that OWASP recommends. */
const costs: Costs = { memory: 19_456, passes: 2, parallelism: 1 };
const [saltBytes, hashBytes] = [16, 32];
const hashedPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

const derive = promisify(argon2);

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes);
  const hash = await derive('argon2id', { ...costs, message: password, nonce: salt, tagLength: hashBytes });
  const { memory, passes, parallelism } = costs;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
};

/** Without a stored one it takes as long, and is false: nobody learns from the time whether there is such a user. */
export const passwordMatches = async (password: string, hashed: string | undefined): Promise<boolean> => {
  const [, memory, passes, parallelism, salt = '', hash = ''] = hashedPattern.exec(hashed ?? nobodysHash) ?? [];
  if (hash === '') throw new Error('A stored password is not one that argon2id made.');
  const expected = Buffer.from(hash, 'base64');
  const derived = await derive('argon2id', {
    ...{ message: password, nonce: Buffer.from(salt, 'base64'), tagLength: expected.length },
    ...{ memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
  });
  return timingSafeEqual(derived, expected) && hashed !== undefined;
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const { memory, passes, parallelism } = costs;
/** Of the costs of a new one. */
const nobodysHash = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
