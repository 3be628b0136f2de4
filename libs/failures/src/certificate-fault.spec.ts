import { describe, expect, it } from '@jest/globals';
import { describeCertificateFault } from './certificate-fault.js';

const withCode = (code: string): Error => Object.assign(new Error('no'), { code });

describe('a certificate that is not trusted', () => {
  it.each([
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('is recognised by %s, also as the cause of another error', (code) => {
    expect(describeCertificateFault(withCode(code))).toBe(code);
    expect(describeCertificateFault(new Error('the connection failed', { cause: withCode(code) }))).toBe(code);
  });

  it.each([withCode('ECONNREFUSED'), withCode('ECONNRESET'), new Error('closed'), 'CERT_HAS_EXPIRED', undefined])(
    'is not recognised in %p',
    (error) => {
      expect(describeCertificateFault(error)).toBeUndefined();
    },
  );
});
