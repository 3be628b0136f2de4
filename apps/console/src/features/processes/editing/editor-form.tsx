import { useRef, useState, type FormEvent } from 'react';
import { refusalOf } from '../../../api/failures.js';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { Notice } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { classNames } from '../../../ui/class-names.js';
import { showToast } from '../../../ui/toast-queue.js';
import { CallFault } from '../../faults/call-fault.js';
import { useCultureName } from '../element-name.js';
import { changedFields, valueOf, type EditorField, type FieldKind, type FieldValues } from './editor-fields.js';
import styles from './editing.module.css';
import { fieldFaultsOf } from './field-faults.js';
import { FieldInput } from './field-input.js';
import { LeaveWarning } from './leave-warning.js';
import { StaleWrite } from './stale-write.js';
import { useSaving, type SavingProps } from './use-saving.js';
import { valueFaults } from './written-element.js';

export type EditorFormProps = Omit<SavingProps, 'onSaved'> & { readonly onClose: () => void };

export const EditorForm = ({ onClose, ...props }: EditorFormProps) => {
  const { fields, culture } = props;
  const say = useMessages(processesEditingMessages);
  const isSaved = useRef(false);
  const saving = useSaving({
    ...props,
    onSaved: () => {
      isSaved.current = true;
      showToast('success', say('saved'));
      onClose();
    },
  });
  const { beginning, theirs, error } = saving;
  const [values, setValues] = useState(beginning.values);
  const [isChecked, setChecked] = useState(false);
  const changed = changedFields(fields, beginning.values, values);
  const wrong = valueFaults(fields, values);
  const refused = fieldFaultsOf(refusalOf(error)?.detail ?? '', fields);
  const faultOf = ({ id }: EditorField): string | undefined => {
    const fault = isChecked ? wrong[id] : undefined;
    return fault === undefined ? refused[id] : say(`fault_${fault}`);
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setChecked(true);
    if (Object.keys(wrong).length === 0) saving.save(values);
    else focusFirstFault(event.currentTarget);
  };
  const saveMerged = (merged: FieldValues): void => {
    setValues(merged);
    saving.saveMerged(merged);
  };
  const leaveWarning = <LeaveWarning isDirty={changed.length > 0} isSaved={isSaved} />;
  if (theirs !== undefined)
    return (
      <>
        {leaveWarning}
        <StaleWrite
          {...{ fields, culture, before: beginning.values, mine: values, theirs }}
          onSave={saveMerged}
          onBack={saving.backToForm}
        />
      </>
    );
  return (
    <>
      {leaveWarning}
      <form className={styles['form']} onSubmit={submit} noValidate>
        {error !== undefined && <CallFault error={error} onRetry={saving.lookAgain} />}
        {isChecked && Object.keys(wrong).length > 0 && (
          <Notice tone="danger">{say('toCorrect', { count: Object.keys(wrong).length })}</Notice>
        )}
        <Groups
          {...{ fields, values, faultOf }}
          onChange={(id, value) => setValues((now) => ({ ...now, [id]: value }))}
        />
        <div className={classNames(styles['actions'], styles['bar'])}>
          <Button type="submit" variant="primary" isPending={saving.isPending} isDisabled={changed.length === 0}>
            {say('save')}
          </Button>
          <Button onPress={onClose}>{say('cancel')}</Button>
          {changed.length > 0 && (
            <span className={styles['hint']}>{say('changedFields', { count: changed.length })}</span>
          )}
        </div>
      </form>
    </>
  );
};

/** Once it is marked. */
const focusFirstFault = (form: HTMLFormElement): void =>
  void requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());

type GroupsProps = {
  readonly fields: readonly EditorField[];
  readonly values: FieldValues;
  readonly faultOf: (field: EditorField) => string | undefined;
  readonly onChange: (id: string, value: FieldValues[string]) => void;
};

const isShort = (kind: FieldKind): boolean => ['number', 'boolean', 'date-time'].includes(kind);

/** A group for each attribute: the languages of one side by side. */
const Groups = ({ fields, values, faultOf, onChange }: GroupsProps) => {
  const say = useMessages(processesEditingMessages);
  const cultureNameOf = useCultureName();
  const groups = [...Map.groupBy(fields, ({ member, name }) => `${member}.${name}`)];
  const input = (field: EditorField) => {
    const { id, culture, label } = field;
    const language = culture === '127' ? say('allLanguages') : culture && cultureNameOf(culture);
    return (
      <FieldInput
        key={id}
        field={field}
        label={language ?? label}
        value={valueOf(values, field)}
        onChange={(value) => onChange(id, value)}
        error={faultOf(field)}
      />
    );
  };
  return groups.map(([name, group]) =>
    group.some(({ culture }) => culture !== undefined) ? (
      <fieldset key={name} className={styles['group']}>
        <legend className={styles['legend']}>{group[0]?.label}</legend>
        <div className={styles['cultures']}>{group.map(input)}</div>
      </fieldset>
    ) : (
      <div key={name} className={group.some(({ kind }) => isShort(kind)) ? styles['single'] : undefined}>
        {group.map(input)}
      </div>
    ),
  );
};
