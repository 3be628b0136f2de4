/** All keys of a team, from all pages of their list. */
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.js';
import type { ApiKey } from './key-draft.js';

export const allKeysQuery = (team: string) =>
  queryOptions({
    queryKey: ['listKeys', { team }, 'all'] as const,
    queryFn: async ({ signal }): Promise<readonly ApiKey[]> => {
      const keys: ApiKey[] = [];
      let after: string | undefined;
      do {
        const page = await call('listKeys', { team, after }, { signal });
        keys.push(...page.keys);
        after = page.next;
      } while (after !== undefined);
      return keys;
    },
  });
