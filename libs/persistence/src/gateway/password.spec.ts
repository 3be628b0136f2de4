import { describe, expect, it } from '@jest/globals';
import { hashPassword, passwordMatches } from './password.js';

describe('a password', () => {
  it('is hashed with argon2id and a new salt each time', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(one).not.toContain('correct');
  });

  it.each(['correct horse', 'p\u00e4ssw\u00f6rd \ud83d\udd11', ' ', 'x'.repeat(1_000)])(
    'matches itself and nothing else: %j',
    async (password) => {
      const hashed = await hashPassword(password);
      expect(await passwordMatches(password, hashed)).toBe(true);
      expect(await passwordMatches(`${password} `, hashed)).toBe(false);
      expect(await passwordMatches(password.toUpperCase() + 'x', hashed)).toBe(false);
    },
  );

  it('is verified against the hash of another implementation', async () => {
    // What the reference implementation makes of "password" and "somesalt".
    const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await passwordMatches('password', reference)).toBe(true);
    expect(await passwordMatches('Password', reference)).toBe(false);
  });

  it('of an unknown member never matches, and takes as long to check', async () => {
    const hashed = await hashPassword('correct horse');
    // In time of the processor, which other programs on the machine do not lengthen.
    const leastCpuMicroseconds = async (stored: string | undefined) => {
      const times: number[] = [];
      for (let attempt = 0; attempt < 5; attempt++) {
        const before = process.cpuUsage();
        expect(await passwordMatches('guess', stored)).toBe(false);
        const { user, system } = process.cpuUsage(before);
        times.push(user + system);
      }
      return Math.min(...times);
    };
    const [known, unknown] = [await leastCpuMicroseconds(hashed), await leastCpuMicroseconds(undefined)];
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it.each(['', 'correct horse', '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$x', '$argon2id$v=19$m=8,t=1,p=1$$'])(
    'that is stored in another format is an error: %j',
    async (stored) => {
      await expect(passwordMatches('guess', stored)).rejects.toThrow('argon2id');
    },
  );
});
