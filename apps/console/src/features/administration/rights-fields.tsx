/** Fields for what members, roles and keys may do. Offered is what the team was granted, and what is there already. */
import type { Scope } from '../../api/operations.js';
import { useMessages } from '../../language/language-provider.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { sessionMessages } from '../../messages/session/catalogue.js';
import { Button, IconButton } from '../../ui/button.js';
import { CheckboxGroup } from '../../ui/checkbox-group.js';
import { TextArea, TextField } from '../../ui/field.js';
import styles from './administration.module.css';
import { describeAttributes, emptyAttributeLine, type AttributeLine } from './attribute-lines.js';
import { useTeam } from './team.js';

type ScopeFieldProps = {
  readonly selected: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
  readonly error?: string;
};

export const ScopeField = ({ selected, onChange, error }: ScopeFieldProps) => {
  const say = useMessages(administrationMessages);
  const sayScope = useMessages(sessionMessages);
  const { grants } = useTeam();
  const offered = [...new Set([...grants.scopes, ...selected])];
  return (
    <CheckboxGroup
      label={say('scopes')}
      options={offered.map((scope) => ({ id: scope, label: sayScope(scope), description: scope }))}
      {...{ selected, onChange, error }}
    />
  );
};

type FurtherScopeFieldProps = {
  readonly selected: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
};

export const FurtherScopeField = ({ selected, onChange }: FurtherScopeFieldProps) => {
  const say = useMessages(administrationMessages);
  const { furtherScopes } = useTeam().grants;
  const offered = [...new Set([...furtherScopes, ...selected])];
  if (offered.length === 0) return null;
  return (
    <CheckboxGroup
      label={say('furtherScopes')}
      description={say('furtherScopesText')}
      options={offered.map((scope) => ({
        ...{ id: scope, label: scope },
        ...(!furtherScopes.includes(scope) && { description: say('notGranted') }),
      }))}
      {...{ selected, onChange }}
    />
  );
};

type AttributesFieldProps = {
  readonly lines: readonly AttributeLine[];
  readonly onChange: (lines: readonly AttributeLine[]) => void;
};

/** What policies on data read, e.g. the company codes of a person. */
export const AttributesField = ({ lines, onChange }: AttributesFieldProps) => {
  const say = useMessages(administrationMessages);
  const granted = Object.entries(useTeam().grants.attributes);
  if (granted.length === 0 && lines.length === 0) return null;
  const change = (at: number, changed: Partial<AttributeLine>): void =>
    onChange(lines.map((line, each) => (each === at ? { ...line, ...changed } : line)));
  const described = describeAttributes(
    Object.fromEntries(granted.map(([name, texts]) => [name, texts === true ? say('anyText') : texts])),
  );
  return (
    <div className={styles['section']} role="group" aria-label={say('attributes')}>
      <p className={styles['note']}>{say('attributesText', { granted: described })}</p>
      {lines.map(({ name, texts }, at) => (
        <div key={at} className={styles['pair']}>
          <TextField label={say('attribute')} value={name} onChange={(text) => change(at, { name: text })} />
          <TextArea
            label={say('attributeTexts')}
            rows={2}
            value={texts}
            onChange={(text) => change(at, { texts: text })}
          />
          <IconButton
            label={say('removeAttribute', { name })}
            icon="close"
            onPress={() => onChange(lines.filter((_, each) => each !== at))}
          />
        </div>
      ))}
      <div className={styles['actions']}>
        <Button onPress={() => onChange([...lines, emptyAttributeLine])}>{say('addAttribute')}</Button>
      </div>
    </div>
  );
};
