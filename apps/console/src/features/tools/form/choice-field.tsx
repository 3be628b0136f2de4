import { useMessages } from '../../../language/language-provider.js';
import { toolsMessages } from '../../../messages/tools/catalogue.js';
import { ComboBox } from '../../../ui/combobox.js';
import { Select } from '../../../ui/select.js';
import type { ArgumentFieldProps, FieldWords } from './argument-field.js';
import type { DraftOf } from './draft.js';
import type { Choice } from './form-node.js';

/** More are found by typing. */
const optionsMax = 20;
/** No choice has it: theirs are JSON. */
const notStatedId = 'not stated';

export const ChoiceField = (props: ArgumentFieldProps<DraftOf<'choice'>> & FieldWords) => {
  const { label, draft, onChange, description, error } = props;
  const { choices, isRequired } = draft.node;
  const say = useMessages(toolsMessages);
  const labelOf = ({ value, label: own }: Choice): string => {
    if (value === true) return say('yes');
    if (value === false) return say('no');
    return value === null ? say('null') : own;
  };
  const options = choices.map((choice) => ({
    ...{ id: choice.id, label: labelOf(choice), description: choice.description },
  }));
  const choose = (id: string | undefined): void => onChange({ ...draft, chosen: id === notStatedId ? undefined : id });
  const common = { label, description, error, isRequired, selected: draft.chosen, onSelect: choose };
  return choices.length > optionsMax ? (
    <ComboBox {...common} options={options} />
  ) : (
    <Select {...common} options={isRequired ? options : [{ id: notStatedId, label: say('notStated') }, ...options]} />
  );
};
