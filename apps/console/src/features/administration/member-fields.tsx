/** The fields of a member. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Checkbox, TextField } from '../../ui/field.js';
import { CheckboxGroup } from '../../ui/checkbox-group.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';
import { asksSamePerson, type MemberDraft, type MemberFaults } from './member-draft.js';
import { AttributesField, FurtherScopeField } from './rights-fields.js';
import { useTeam } from './team.js';
import { useRolePurpose } from './use-role-purpose.js';

export type MemberFieldsProps = {
  readonly draft: MemberDraft;
  readonly onChange: (changed: Partial<MemberDraft>) => void;
  /** Undefined until it was sent once. */
  readonly faults: MemberFaults | undefined;
  /** Only then has it an id to choose. */
  readonly isNew: boolean;
  /** Why it was not saved. */
  readonly error: unknown;
};

export const MemberFields = ({ draft, onChange, faults, isNew, error }: MemberFieldsProps) => {
  const say = useMessages(administrationMessages);
  const errorOf = (name: keyof MemberFaults): string | undefined => {
    const fault = faults?.[name];
    return fault && say(fault);
  };
  return (
    <>
      {isNew && (
        <TextField
          label={say('memberId')}
          description={say('memberIdText')}
          isRequired
          autoComplete="off"
          value={draft.memberId}
          onChange={(memberId) => onChange({ memberId })}
          error={errorOf('memberId')}
        />
      )}
      <TextField
        label={say('displayName')}
        isRequired
        autoComplete="off"
        value={draft.displayName}
        onChange={(displayName) => onChange({ displayName })}
        error={errorOf('displayName')}
      />
      <RolesField selected={draft.roles} onChange={(roles) => onChange({ roles })} />
      <FurtherScopeField selected={draft.furtherScopes} onChange={(furtherScopes) => onChange({ furtherScopes })} />
      <AttributesField lines={draft.attributes} onChange={(attributes) => onChange({ attributes })} />
      <div className={styles['section']} role="group" aria-label={say('identity')}>
        <p>
          <strong>{say('identity')}</strong>
        </p>
        <p className={styles['note']}>{say('identityText')}</p>
        <TextField
          label={say('issuer')}
          autoComplete="off"
          value={draft.issuer}
          onChange={(issuer) => onChange({ issuer })}
          error={errorOf('issuer')}
        />
        <TextField
          label={say('subject')}
          autoComplete="off"
          value={draft.subject}
          onChange={(subject) => onChange({ subject })}
          error={errorOf('subject')}
        />
      </div>
      {(draft.isSamePerson || asksSamePerson(error)) && (
        <Checkbox isSelected={draft.isSamePerson} onChange={(isSamePerson) => onChange({ isSamePerson })}>
          {say('samePersonText')}
        </Checkbox>
      )}
      {!isNew && (
        <Checkbox isSelected={draft.isDisabled} onChange={(isDisabled) => onChange({ isDisabled })}>
          {say('disableText')}
        </Checkbox>
      )}
    </>
  );
};

type RolesFieldProps = { readonly selected: readonly string[]; readonly onChange: (roles: readonly string[]) => void };

const RolesField = ({ selected, onChange }: RolesFieldProps) => {
  const say = useMessages(administrationMessages);
  const purposeOf = useRolePurpose();
  const roles = useQuery(operationQuery('listRoles', { team: useTeam().team }));
  if (roles.isPending) return <Skeleton lines={5} />;
  if (roles.isError) return <CallFault error={roles.error} onRetry={() => void roles.refetch()} />;
  return (
    <CheckboxGroup
      label={say('roles')}
      options={roles.data.roles.map(({ name, description, builtIn }) => ({
        id: name,
        label: name,
        description: purposeOf({ name, description, builtIn }),
      }))}
      {...{ selected, onChange }}
    />
  );
};
