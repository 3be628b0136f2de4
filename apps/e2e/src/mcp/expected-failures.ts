/** The entries of the file of expected failures; the comment of each is its reason. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const expectedFailuresFile = fileURLToPath(new URL('expected-failures.yml', import.meta.url));

export type ExpectedFailure = {
  readonly scenario: string;
  /** One check of the scenario; absent when none of them applies. */
  readonly check?: string;
  readonly reason: string;
};

export const readExpectedFailures = (): readonly ExpectedFailure[] => {
  const entries: ExpectedFailure[] = [];
  let reason = '';
  for (const line of readFileSync(expectedFailuresFile, 'utf8').split('\n')) {
    reason = /^ +# (.+)$/.exec(line)?.[1] ?? reason;
    const [, scenario, check] = /^ +- ([a-z0-9-]+)(?::([a-z0-9-]+))?$/.exec(line) ?? [];
    if (scenario !== undefined) entries.push({ scenario, ...(check !== undefined && { check }), reason });
  }
  return entries;
};
