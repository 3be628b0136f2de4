/** A member as it is edited, what is wrong with it, and what is sent. */
import { refusalOf } from '../../api/failures.js';
import type { AnswerFor, InputFor } from '../../api/operations.js';
import { attributesOfLines, linesOfAttributes, type AttributeLine } from './attribute-lines.js';

export type Member = AnswerFor<'readMember'>;

export type MemberDraft = {
  readonly memberId: string;
  readonly displayName: string;
  readonly roles: readonly string[];
  readonly furtherScopes: readonly string[];
  readonly attributes: readonly AttributeLine[];
  readonly issuer: string;
  readonly subject: string;
  readonly isDisabled: boolean;
  /** The id belongs to this person, whatever identity it has, or had, there. */
  readonly isSamePerson: boolean;
};

/** By field; the values are names of messages. */
export type MemberFaults = {
  readonly memberId: 'required' | 'memberIdFault' | undefined;
  readonly displayName: 'required' | undefined;
  readonly issuer: 'identityFault' | undefined;
  readonly subject: 'identityFault' | undefined;
};

export const emptyMember: MemberDraft = {
  ...{ memberId: '', displayName: '', roles: [], furtherScopes: [], attributes: [] },
  ...{ issuer: '', subject: '', isDisabled: false, isSamePerson: false },
};

export const draftOfMember = (member: Member): MemberDraft => ({
  ...{ memberId: member.memberId, displayName: member.displayName },
  ...{ roles: member.roles, furtherScopes: member.furtherScopes, attributes: linesOfAttributes(member.attributes) },
  ...{ issuer: member.identity?.issuer ?? '', subject: member.identity?.subject ?? '' },
  ...{ isDisabled: member.disabledAt !== undefined, isSamePerson: false },
});

const memberIdPattern = /^[a-z0-9][a-z0-9._@+-]{0,127}$/;

export const faultsOfMember = ({ memberId, displayName, issuer, subject }: MemberDraft): MemberFaults => ({
  memberId: memberId === '' ? 'required' : memberIdPattern.test(memberId) ? undefined : 'memberIdFault',
  displayName: displayName.trim() === '' ? 'required' : undefined,
  issuer: issuer.trim() === '' && subject.trim() !== '' ? 'identityFault' : undefined,
  subject: subject.trim() === '' && issuer.trim() !== '' ? 'identityFault' : undefined,
});

export const propertiesOfMember = (draft: MemberDraft): InputFor<'writeMember'>['properties'] => ({
  displayName: draft.displayName.trim(),
  ...(draft.issuer.trim() !== '' && { identity: { issuer: draft.issuer.trim(), subject: draft.subject.trim() } }),
  roles: [...draft.roles],
  furtherScopes: [...draft.furtherScopes],
  attributes: attributesOfLines(draft.attributes),
  disabled: draft.isDisabled,
  ...(draft.isSamePerson && { samePerson: true }),
});

/** True when it was refused because the id belongs to somebody else, as far as the server knows. */
export const asksSamePerson = (error: unknown): boolean =>
  refusalOf(error)?.faults.some(({ path }) => path === 'samePerson') === true;

const passwordLengths = { least: 12, most: 256 };

export const faultOfPassword = (password: string): 'passwordShort' | 'passwordLong' | undefined =>
  password.length < passwordLengths.least
    ? 'passwordShort'
    : password.length > passwordLengths.most
      ? 'passwordLong'
      : undefined;

/** Whether none of the fields has a fault. */
export const isFaultless = (faults: Readonly<Record<string, string | undefined>>): boolean =>
  Object.values(faults).every((fault) => fault === undefined);
