/** A role of the team as it is edited, what is wrong with it, and what is sent. */
import type { AnswerFor, InputFor, Scope } from '../../api/operations.js';

export type Role = AnswerFor<'listRoles'>['roles'][number];

export type RoleDraft = {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
  readonly furtherScopes: readonly string[];
};

/** Names of messages. */
export type RoleNameFault = 'required' | 'roleNameFault' | 'roleTaken';

export const emptyRole: RoleDraft = { name: '', description: '', scopes: [], furtherScopes: [] };

export const draftOfRole = ({ name, description, scopes, furtherScopes }: Role): RoleDraft => ({
  ...{ name, description, scopes, furtherScopes },
});

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** `taken` are the names that other roles have: to write one of them would replace it. */
export const faultOfRoleName = (name: string, taken: readonly string[]): RoleNameFault | undefined => {
  if (name === '') return 'required';
  if (!namePattern.test(name)) return 'roleNameFault';
  return taken.includes(name) ? 'roleTaken' : undefined;
};

export const propertiesOfRole = (draft: RoleDraft): InputFor<'writeRole'>['properties'] => ({
  ...{ scopes: [...draft.scopes], description: draft.description.trim(), furtherScopes: [...draft.furtherScopes] },
});
