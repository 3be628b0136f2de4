import { describe, expect, it } from '@jest/globals';
import { scramVerifier } from './scram-verifier.js';

describe('what is stored of a password', () => {
  it('is what RFC 7677 computes for its example', () => {
    expect(scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('is another one each time', () => {
    expect(scramVerifier('pencil')).not.toBe(scramVerifier('pencil'));
  });

  it('is refused for letters that would have to be prepared', () => {
    expect(() => scramVerifier('Schlüssel')).toThrow('ASCII');
    expect(() => scramVerifier('')).toThrow('ASCII');
  });
});
