import { useState } from 'react';
import { shorten } from '../../../ui/foreign-text.js';
import styles from '../tools.module.css';
import { ArgumentField, type ArgumentFieldProps, type FieldWords } from './argument-field.js';
import { changeMember, type DraftOf } from './draft.js';
import { FieldGroup } from './field-group.js';
import { readDraft } from './read-draft.js';

type ObjectFieldProps = ArgumentFieldProps<DraftOf<'object'>>;

const labelLengthMax = 120;

/** What may be left out is folded until something of it is stated, or wrong. */
export const ObjectField = (props: ObjectFieldProps & FieldWords) => {
  const { label, draft, path, faults, description, error } = props;
  const [isOpened, setOpened] = useState(() => readDraft(draft).isGiven);
  const { isRequired } = draft.node;
  const group = (
    <FieldGroup {...{ label, isRequired, description, error }} isLabelShown={isRequired}>
      <MemberFields {...props} />
    </FieldGroup>
  );
  if (isRequired) return group;
  const prefix = path.join('.');
  const isWrong = [...faults.keys()].some((each) => each === prefix || each.startsWith(`${prefix}.`));
  return (
    <details open={isOpened || isWrong} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary className={styles['summary']}>
        <bdi>{label}</bdi>
      </summary>
      {group}
    </details>
  );
};

export const MemberFields = ({ draft, path, faults, onChange }: ObjectFieldProps) => (
  <div className={styles['members']}>
    {draft.node.members.map(({ name, node }, at) => {
      const member = draft.members[at];
      return (
        member !== undefined && (
          <ArgumentField
            key={name}
            label={shorten(node.title ?? name, labelLengthMax)}
            path={[...path, name]}
            draft={member}
            faults={faults}
            onChange={(changed) => onChange(changeMember(draft, at, changed))}
          />
        )
      );
    })}
  </div>
);
