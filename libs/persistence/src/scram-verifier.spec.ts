import { describe, expect, it } from '@jest/globals';
import { createScramVerifier } from './scram-verifier.js';

describe('createScramVerifier', () => {
  it('computes the example of RFC 7677', () => {
    expect(createScramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('returns a different verifier each time', () => {
    expect(createScramVerifier('pencil')).not.toBe(createScramVerifier('pencil'));
  });

  it('rejects characters that PostgreSQL would normalise', () => {
    expect(() => createScramVerifier('Schlüssel')).toThrow('ASCII');
    expect(() => createScramVerifier('')).toThrow('ASCII');
  });
});
