/** The input of one field, by its kind. */
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { TextArea, TextField } from '../../../ui/field.js';
import { NumberTextField } from '../../../ui/number-text-field.js';
import { Select } from '../../../ui/select.js';
import { toInstant, toLocalText, toUtcText } from '../moments.js';
import type { EditorField, FieldValue } from './editor-fields.js';
import { FieldFault } from './field-fault.js';
import { ItemList } from './item-list.js';
import { ReferenceField } from './reference-field.js';

export type FieldInputProps = {
  readonly field: EditorField;
  /** Beside others of the same attribute: the language that it is in. */
  readonly label: string;
  readonly value: FieldValue;
  readonly onChange: (value: FieldValue) => void;
  readonly error: string | undefined;
};

export const FieldInput = ({ field, label, value, onChange, error }: FieldInputProps) => {
  const say = useMessages(processesEditingMessages);
  switch (value.kind) {
    case 'references':
      return (
        <ReferenceField
          {...{ field, error, references: value.references }}
          onChange={(references) => onChange({ kind: 'references', references })}
        />
      );
    case 'items':
      return (
        <ItemList {...{ label, error, items: value.items }} onChange={(items) => onChange({ kind: 'items', items })} />
      );
    case 'text': {
      const description = field.isMandatory ? say('neededForRelease') : undefined;
      return (
        <TextInput
          {...{ field, label, error, description, text: value.text }}
          onChange={(text) => onChange({ kind: 'text', text })}
        />
      );
    }
  }
};

type TextInputProps = Omit<FieldInputProps, 'value' | 'onChange'> & {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly description: string | undefined;
};

/** What a browser can show in its own field for dates; the rest is shown as it is. */
const pickedPattern = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?$/;

const TextInput = ({ field, label, text, onChange, error, description }: TextInputProps) => {
  const common = { label, error, description, value: text, onChange };
  switch (field.kind) {
    case 'boolean':
      return <YesOrNo label={label} text={text} onChange={onChange} error={error} />;
    case 'date-time':
      return <MomentInput {...common} />;
    case 'number':
      return <NumberTextField {...common} />;
    case 'text':
    case 'items':
    case 'references':
      return field.name === 'name' ? <TextField {...common} /> : <TextArea {...common} rows={3} />;
  }
};

type MomentInputProps = Pick<TextInputProps, 'label' | 'error' | 'description' | 'onChange'> & {
  readonly value: string;
};

/** Stored is UTC, shown is the time of this place, as on the page of the element. */
const MomentInput = ({ value, onChange, ...rest }: MomentInputProps) => {
  if (!pickedPattern.test(value)) return <TextField {...rest} value={value} onChange={onChange} />;
  const change = (local: string): void => onChange(local === '' ? '' : toUtcText(local));
  return (
    <TextField
      {...rest}
      type="datetime-local"
      value={value === '' ? '' : toLocalText(new Date(toInstant(value)))}
      onChange={change}
    />
  );
};

type YesOrNoProps = Pick<TextInputProps, 'label' | 'text' | 'onChange' | 'error'>;

const YesOrNo = ({ label, text, onChange, error }: YesOrNoProps) => {
  const say = useMessages(processesEditingMessages);
  const options = [
    { id: 'unset', label: say('notSet') },
    { id: 'true', label: say('yes') },
    { id: 'false', label: say('no') },
  ] as const;
  return (
    <div>
      <Select
        label={label}
        options={options}
        selected={options.find(({ id }) => id === text)?.id ?? 'unset'}
        onSelect={(id) => onChange(id === 'unset' ? '' : id)}
      />
      <FieldFault error={error} />
    </div>
  );
};
