/** A member as clients know it: `meridian/anna.weber`. A team has no slash in its name, so both are found in it again. */
import type { GrantHolder } from './grants.js';

export const accountIdOf = ({ team, memberId }: GrantHolder): string => `${team}/${memberId}`;

export const holderOf = (accountId: string): GrantHolder => {
  const slashAt = accountId.indexOf('/');
  return { team: accountId.slice(0, slashAt), memberId: accountId.slice(slashAt + 1) };
};
