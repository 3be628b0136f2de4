/** A credential that was verified. Refuses: the credential itself. */
import type { Caller } from '@tessera/contracts';

export type Verified = {
  readonly caller: Caller;
  /** What the rate limit counts: `key:<id>` or `subject:<sub>`. */
  readonly credential: string;
  readonly hourlyLimit: number;
  /** Epoch milliseconds; from then on it must be verified again. */
  readonly validUntilMs: number;
  /** Set for keys. */
  readonly keyId?: string;
};
