/** Members and roles of the fake gateway, of one team. */
import type { HttpOperation } from '@tessera/contracts';
import * as gateway from '@tessera/contracts/gateway';

export type FakeAccessState = { readonly members: Map<string, object> };

export const createFakeAccessState = (): FakeAccessState => ({ members: new Map() });

type Inputs = Readonly<Record<string, string>>;
type Properties = {
  readonly roles: readonly string[];
  readonly furtherScopes?: readonly string[];
  readonly disabled?: boolean;
};

const memberOf = (memberId: string, { disabled, ...properties }: Properties): object => ({
  ...{ memberId, furtherScopes: [], attributes: {}, ...properties },
  createdAt: '2026-06-30T09:15:00Z',
  ...(disabled && { disabledAt: '2026-07-01T00:00:00Z' }),
  grants: { scopes: ['content:read'], furtherScopes: properties.furtherScopes ?? [], attributes: {} },
});

const buyer = { name: 'buyer', description: 'Buys', scopes: ['content:read'], furtherScopes: ['finance:read'] };
/** In place of an answer. */
export const memberNotFound = { status: 404, title: 'Not found', detail: 'There is no such member.' };

export const accessHandlers: readonly (readonly [
  HttpOperation,
  (state: FakeAccessState, path: Inputs, body: never) => unknown,
])[] = [
  [gateway.listMembers, ({ members }) => ({ members: [...members.values()] })],
  [gateway.readMember, ({ members }, { memberId = '' }) => members.get(memberId) ?? memberNotFound],
  [
    gateway.writeMember,
    ({ members }, { memberId = '' }, body: Properties) => {
      const member = memberOf(memberId, body);
      members.set(memberId, member);
      return member;
    },
  ],
  [
    gateway.deleteMember,
    ({ members }, { memberId = '' }) => (members.delete(memberId) ? { deleted: memberId } : memberNotFound),
  ],
  [gateway.setPassword, ({ members }, { memberId = '' }) => (members.has(memberId) ? { memberId } : memberNotFound)],
  [
    gateway.endMemberAccess,
    ({ members }, { memberId = '' }) => (members.has(memberId) ? { sessions: 2, clientGrants: 1 } : memberNotFound),
  ],
  [gateway.listAccessChanges, () => ({ changes: [] })],
  [gateway.listRoles, () => ({ roles: [{ ...buyer, builtIn: false }] })],
  [
    gateway.writeRole,
    (_, { role = '' }, body: object) => ({ furtherScopes: [], description: '', ...body, name: role, builtIn: false }),
  ],
  [gateway.deleteRole, (_, { role = '' }) => ({ deleted: role })],
];
