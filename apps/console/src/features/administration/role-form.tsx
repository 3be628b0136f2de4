import type { ReactNode, FormEvent } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/field.js';
import styles from './administration.module.css';
import { FurtherScopeField, ScopeField } from './rights-fields.js';
import type { RoleDraft, RoleNameFault } from './role-draft.js';

export type RoleFormProps = {
  readonly draft: RoleDraft;
  readonly onChange: (draft: RoleDraft) => void;
  /** Of a role that is not there yet: only then is its name chosen. */
  readonly name?: { readonly fault: RoleNameFault | undefined };
  readonly submit: { readonly label: string; readonly isPending: boolean; readonly onSubmit: () => void };
  /** What the platform said of it. */
  readonly children?: ReactNode;
};

export const RoleForm = ({ draft, onChange, name, submit, children }: RoleFormProps) => {
  const say = useMessages(administrationMessages);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    submit.onSubmit();
  };
  const change = (changed: Partial<RoleDraft>): void => onChange({ ...draft, ...changed });
  return (
    <form className={styles['form']} onSubmit={send} noValidate>
      {name !== undefined && (
        <TextField
          label={say('roleName')}
          description={say('roleNameText')}
          isRequired
          autoComplete="off"
          value={draft.name}
          onChange={(text) => change({ name: text })}
          error={name.fault && say(name.fault)}
        />
      )}
      <TextField
        label={say('purpose')}
        autoComplete="off"
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <ScopeField selected={draft.scopes} onChange={(scopes) => change({ scopes })} />
      <FurtherScopeField selected={draft.furtherScopes} onChange={(furtherScopes) => change({ furtherScopes })} />
      {children}
      <div className={styles['actions']}>
        <Button type="submit" variant="primary" isPending={submit.isPending}>
          {submit.label}
        </Button>
      </div>
    </form>
  );
};
