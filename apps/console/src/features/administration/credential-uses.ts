/** Who used how much, with the names that keys have. */
import type { AnswerFor } from '../../api/operations.js';
import type { ApiKey } from './key-draft.js';

export type Usage = AnswerFor<'readUsage'>;
export type CredentialUse = Usage['credentials'][number];

export type NamedUse = CredentialUse & {
  readonly name: string;
  readonly isKey: boolean;
  /** Of the limit of this hour, 0 to 1. */
  readonly share: number;
};

const keyPrefix = 'key:';
const memberPrefix = 'member:';

/** Keys by their names, members by their ids, others as a token names them. */
export const nameCredentials = (
  uses: readonly CredentialUse[],
  keys: readonly Pick<ApiKey, 'keyId' | 'name'>[],
): readonly NamedUse[] => {
  const names = new Map(keys.map(({ keyId, name }) => [`${keyPrefix}${keyId}`, name]));
  return uses.map((use) => ({
    ...use,
    name: names.get(use.credential) ?? use.credential.replace(memberPrefix, ''),
    isKey: use.credential.startsWith(keyPrefix),
    share: use.hourlyLimit === 0 ? 0 : use.thisHour / use.hourlyLimit,
  }));
};
