/** The field of an argument: whatever its schema asks for, down to those of its parts. */
import { useMessages } from '../../../language/language-provider.js';
import { toolsMessages } from '../../../messages/tools/catalogue.js';
import { Checkbox, TextArea, TextField } from '../../../ui/field.js';
import { ForeignText } from '../../../ui/foreign-text.js';
import { NumberField } from '../../../ui/number-field.js';
import styles from '../tools.module.css';
import { AlternativesField } from './alternatives-field.js';
import { ChoiceField } from './choice-field.js';
import type { Draft, DraftOf } from './draft.js';
import { ListField } from './list-field.js';
import { ObjectField } from './object-field.js';

export type ArgumentFieldProps<Of extends Draft = Draft> = {
  readonly label: string;
  /** Where it is among the arguments: names, and numbers of entries. */
  readonly path: readonly string[];
  readonly draft: Of;
  /** Path -> what is wrong there. */
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (draft: Draft) => void;
};

/** Longer ones stand outside of the field, so that they can be folded. */
const descriptionLengthMax = 300;

export const ArgumentField = (props: ArgumentFieldProps) => {
  const { kind, node } = props.draft;
  const { description = '' } = node;
  const isGroup = kind === 'list' || kind === 'object';
  return (
    <div className={styles['argument']}>
      <Field {...props} />
      {!isGroup && description.length > descriptionLengthMax && (
        <div className={styles['note']}>
          <ForeignText text={description} isBlock />
        </div>
      )}
    </div>
  );
};

const Field = (props: ArgumentFieldProps) => {
  const { draft, ...rest } = props;
  const { description } = draft.node;
  const words = wordsOf(props);
  switch (draft.kind) {
    case 'text':
      return <TextArgument {...rest} draft={draft} />;
    case 'number':
      return <NumberArgument {...rest} draft={draft} />;
    case 'flag':
      return <FlagArgument {...rest} draft={draft} />;
    case 'json':
      return <JsonArgument {...rest} draft={draft} />;
    case 'choice':
      return <ChoiceField {...rest} {...words} draft={draft} />;
    case 'list':
      return <ListField {...rest} {...words} draft={draft} description={description} />;
    case 'object':
      return <ObjectField {...rest} {...words} draft={draft} description={description} />;
    case 'alternatives':
      return <AlternativesField {...rest} {...words} draft={draft} />;
  }
};

/** What stands below a field. */
export type FieldWords = { readonly description?: string; readonly error?: string };

const wordsOf = ({ draft, path, faults }: ArgumentFieldProps): FieldWords => {
  const { description = '' } = draft.node;
  return {
    description: description === '' || description.length > descriptionLengthMax ? undefined : description,
    error: faults.get(path.join('.')),
  };
};

const TextArgument = (props: ArgumentFieldProps<DraftOf<'text'>>) => {
  const { label, draft, onChange } = props;
  const { isLong, isSecret, placeholder, isRequired } = draft.node;
  const common = {
    ...{ label, placeholder, isRequired, ...wordsOf(props), value: draft.text },
    onChange: (text: string) => onChange({ ...draft, text }),
  };
  return isLong ? (
    <TextArea {...common} rows={2} />
  ) : (
    <TextField {...common} type={isSecret ? 'password' : 'text'} autoComplete="off" />
  );
};

const NumberArgument = (props: ArgumentFieldProps<DraftOf<'number'>>) => {
  const { label, draft, onChange } = props;
  return (
    <NumberField
      label={label}
      value={draft.number}
      onChange={(number) => onChange({ ...draft, number })}
      // Another draft has no faults. They would go away when the field is left, and move the button that was just being pressed.
      onTyping={() => onChange({ ...draft })}
      isRequired={draft.node.isRequired}
      {...wordsOf(props)}
    />
  );
};

const FlagArgument = (props: ArgumentFieldProps<DraftOf<'flag'>>) => {
  const { label, draft, onChange } = props;
  const { description, error } = wordsOf(props);
  return (
    <>
      <Checkbox isSelected={draft.isOn} onChange={(isOn) => onChange({ ...draft, isOn })}>
        <bdi>{label}</bdi>
        {description !== undefined && (
          <span className={styles['noteBelow']}>
            <bdi>{description}</bdi>
          </span>
        )}
      </Checkbox>
      {error !== undefined && (
        <p className={styles['fault']} role="alert" tabIndex={-1}>
          {error}
        </p>
      )}
    </>
  );
};

const JsonArgument = (props: ArgumentFieldProps<DraftOf<'json'>>) => {
  const say = useMessages(toolsMessages);
  const { label, draft, onChange } = props;
  const { description, error } = wordsOf(props);
  return (
    <TextArea
      label={label}
      value={draft.text}
      onChange={(text) => onChange({ ...draft, text })}
      description={[description, say('asJson')].filter((each) => each !== undefined).join('\n')}
      error={error}
      isRequired={draft.node.isRequired}
      isCode
      rows={4}
    />
  );
};
