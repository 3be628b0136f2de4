/** Whether TLS failed because the certificate of the other side is not trusted, so that retries are pointless. */
import { types } from 'node:util';

const certificateCodes =
  /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;

/** The code of the fault, of the error or of what caused it: `SELF_SIGNED_CERT_IN_CHAIN`. */
export const describeCertificateFault = (error: unknown): string | undefined => {
  if (!types.isNativeError(error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && certificateCodes.test(error.code)) return error.code;
  return describeCertificateFault(error.cause);
};
