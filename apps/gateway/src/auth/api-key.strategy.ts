/** API keys as passport sees them; `KeyVerifier` knows them. */
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import type { KeyVerifier } from './key-verifier.js';
import { readCredentialText, type VerificationResult } from './verification.js';

type Verify = (key: string, done: (error: unknown, verification: VerificationResult | null) => void) => void;

class KeyStrategy extends passport.Strategy {
  constructor(private readonly verify: Verify) {
    super();
  }

  override authenticate(request: unknown): void {
    this.verify(readCredentialText(request), (error, verification) =>
      verification === null ? this.error(error) : this.success(verification),
    );
  }
}

export class ApiKeyStrategy extends PassportStrategy(KeyStrategy, 'api-key') {
  constructor(private readonly keys: KeyVerifier) {
    super();
  }

  validate(key: string): Promise<VerificationResult> {
    return this.keys.verify(key);
  }
}
