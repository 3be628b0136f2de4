/** A condition by form or by text. What was written one way is there in the other, as far as it can be. */
import type { FormEvent } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { ComboBox } from '../../ui/combobox.js';
import { TextArea, TextField } from '../../ui/field.js';
import { NumberTextField } from '../../ui/number-text-field.js';
import { Select } from '../../ui/select.js';
import {
  expressionOf,
  isComplete,
  operatorsFor,
  switchMode,
  valueCountOf,
  type ConditionDraft,
  type Operator,
} from './condition.js';
import styles from './figures.module.css';
import { typeOf, type FieldType, type Schema } from './schema.js';

export type ConditionEditorProps = {
  readonly schema: Schema;
  readonly draft: ConditionDraft;
  readonly onDraft: (draft: ConditionDraft) => void;
  /** What the button says. */
  readonly apply: string;
  readonly onApply: (expression: string) => void;
  readonly onCancel?: (() => void) | undefined;
};

export const ConditionEditor = ({ schema, draft, onDraft, apply, onApply, onCancel }: ConditionEditorProps) => {
  const say = useMessages(figuresMessages);
  const type = typeOf(schema, draft.field);
  const canApply = isComplete(draft, type);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (canApply) onApply(expressionOf(draft, type));
  };
  return (
    <form className={styles['editor']} onSubmit={submit}>
      {draft.mode === 'text' ? (
        <TextField
          label={say('expression')}
          value={draft.text}
          onChange={(text) => onDraft({ ...draft, text })}
          description={say('expressionHint')}
          isCode
        />
      ) : (
        <ConditionForm {...{ schema, draft, onDraft, type }} />
      )}
      <div className={styles['line']}>
        <Button type="submit" isDisabled={!canApply}>
          {apply}
        </Button>
        {onCancel !== undefined && <Button onPress={onCancel}>{say('cancel')}</Button>}
        <Button variant="quiet" onPress={() => onDraft(switchMode(draft, type))}>
          {say(draft.mode === 'text' ? 'byForm' : 'byText')}
        </Button>
      </div>
    </form>
  );
};

type ConditionFormProps = Pick<ConditionEditorProps, 'schema' | 'draft' | 'onDraft'> & { readonly type: FieldType };

const ConditionForm = ({ schema, draft, onDraft, type }: ConditionFormProps) => {
  const say = useMessages(figuresMessages);
  const { field, operator } = draft;
  const options = [
    ...schema.options.fields.filter(({ id }) => schema.fieldByPath.get(id)?.filterable),
    ...schema.options.kpis,
  ];
  const choose = (chosen = ''): void => {
    const [first = 'eq', ...others] = operatorsFor(typeOf(schema, chosen));
    onDraft({ ...draft, field: chosen, operator: [first, ...others].includes(operator) ? operator : first });
  };
  return (
    <>
      <ComboBox label={say('field')} options={options} selected={field === '' ? undefined : field} onSelect={choose} />
      {field !== '' && (
        <>
          <Select<Operator>
            label={say('operator')}
            options={operatorsFor(type).map((id) => ({ id, label: say(`operator_${id}`) }))}
            selected={operator}
            onSelect={(chosen) => onDraft({ ...draft, operator: chosen })}
          />
          <ConditionValues {...{ draft, onDraft, type }} />
        </>
      )}
    </>
  );
};

const isDay = (text: string): boolean => text === '' || /^\d{4}-\d{2}-\d{2}$/.test(text);

const ConditionValues = ({ draft, onDraft, type }: Omit<ConditionFormProps, 'schema'>) => {
  const say = useMessages(figuresMessages);
  const { operator, values } = draft;
  const count = valueCountOf(operator);
  const change = (at: number, value: string): void =>
    onDraft({
      ...draft,
      values: Array.from({ length: Math.max(values.length, at + 1) }, (_, each) =>
        each === at ? value : (values[each] ?? ''),
      ),
    });
  if (count === undefined)
    return (
      <TextArea
        label={say('valuesOfList')}
        value={values.join('\n')}
        onChange={(text) => onDraft({ ...draft, values: text.split('\n') })}
        rows={3}
      />
    );
  if (type === 'boolean' && count === 1)
    return (
      <Select
        label={say('value')}
        options={[
          { id: 'true', label: say('yes') },
          { id: 'false', label: say('no') },
        ]}
        selected={values[0] === 'true' || values[0] === 'false' ? values[0] : undefined}
        onSelect={(value) => change(0, value)}
      />
    );
  return Array.from({ length: count }, (_, at) => {
    const value = values[at] ?? '';
    const common = {
      label: say(count === 1 ? 'value' : at === 0 ? 'valueFrom' : 'valueTo'),
      ...{ value, onChange: (text: string) => change(at, text) },
    };
    return type === 'integer' || type === 'float' ? (
      <NumberTextField key={`number ${at}`} {...common} />
    ) : (
      <TextField key={at} {...common} type={type === 'date' && isDay(value) ? 'date' : 'text'} />
    );
  });
};
