import { useCallback } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import type { Role } from './role-draft.js';

const builtInRoles = ['viewer', 'analyst', 'author', 'approver', 'admin'] as const;

/** What a role is for: of the built-in ones in the language of the page, of others as the team wrote it. */
export const useRolePurpose = (): ((role: Pick<Role, 'name' | 'description' | 'builtIn'>) => string) => {
  const say = useMessages(administrationMessages);
  return useCallback(
    ({ name, description, builtIn }) => {
      const known = builtIn ? builtInRoles.find((each) => each === name) : undefined;
      return known === undefined ? description : say(`role.${known}`);
    },
    [say],
  );
};
