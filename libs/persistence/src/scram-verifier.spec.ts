import { describe, expect, it } from '@jest/globals';
import { scramVerifier } from './scram-verifier.js';

describe('scramVerifier', () => {
  it('computes the example of RFC 7677', () => {
    expect(scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('returns a different verifier each time', () => {
    expect(scramVerifier('pencil')).not.toBe(scramVerifier('pencil'));
  });

  it('rejects characters that PostgreSQL would normalise', () => {
    expect(() => scramVerifier('Schlüssel')).toThrow('ASCII');
    expect(() => scramVerifier('')).toThrow('ASCII');
  });
});
