import { useEffect, useState } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  FieldError,
  Group,
  Input,
  Label,
  Popover,
  Text,
} from 'react-aria-components';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import buttonStyles from './button.module.css';
import { classNames } from './class-names.js';
import fieldStyles from './field.module.css';
import { Icon } from './icon.js';
import { OptionList, type Option } from './options.js';
import styles from './options.module.css';

export type ComboBoxProps<Id extends string> = {
  readonly label: string;
  readonly options: readonly Option<Id>[];
  /** The id of the chosen option; undefined when none is. */
  readonly selected: Id | undefined;
  readonly onSelect: (id: Id | undefined) => void;
  readonly description?: string;
  /** What is wrong with the choice; the field is marked. */
  readonly error?: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** With it the options are those of a search elsewhere: shown as they are, not filtered here. */
  readonly search?: { readonly text: string; readonly onChange: (text: string) => void; readonly isLoading: boolean };
  /** `input`: the list opens when something is typed; as soon as the field has the focus when left out. */
  readonly opensOn?: 'focus' | 'input';
};

/** One of many, found by typing. */
export const ComboBox = <Id extends string>(props: ComboBoxProps<Id>) => {
  const { label, options, selected, onSelect, description, error, isRequired, isDisabled, search } = props;
  const { opensOn = 'focus' } = props;
  const say = useMessages(uiMessages);
  // Each option costs time when the page is drawn, and most lists are never opened.
  const [wasFocused, setWasFocused] = useState(false);
  const items = wasFocused ? options : options.filter(({ id }) => id === selected);
  return (
    <AriaComboBox<Option<Id>>
      isDisabled={isDisabled}
      isRequired={isRequired}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      {...(search === undefined
        ? { defaultItems: items }
        : { items: options, inputValue: search.text, onInputChange: search.onChange })}
      value={selected ?? null}
      onChange={(key) => onSelect(options.find(({ id }) => id === key)?.id)}
      allowsEmptyCollection
      menuTrigger={opensOn}
      onFocus={() => setWasFocused(true)}
      className={fieldStyles['field'] ?? ''}
    >
      <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
      <Group isInvalid={error !== undefined} className={fieldStyles['box'] ?? ''}>
        <Input className={fieldStyles['input'] ?? ''} dir="auto" />
        <Button className={classNames(buttonStyles['button'], buttonStyles['quiet'], buttonStyles['iconOnly'])}>
          <Icon name="chevron-down" />
        </Button>
      </Group>
      {description !== undefined && (
        <Text slot="description" className={fieldStyles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={fieldStyles['error'] ?? ''}>{error}</FieldError>
      <Popover className={styles['popover'] ?? ''}>
        <OptionList none={say(search?.isLoading === true ? 'loading' : 'nothingFound')} />
      </Popover>
    </AriaComboBox>
  );
};

export type AddComboBoxProps<Id extends string> = Pick<
  ComboBoxProps<Id>,
  'label' | 'options' | 'description' | 'isDisabled'
> & { readonly onAdd: (id: Id) => void };

/** Adds one after the other to a list elsewhere: after each choice it is empty again. */
export const AddComboBox = <Id extends string>({ onAdd, ...rest }: AddComboBoxProps<Id>) => {
  const [added, setAdded] = useState<Id>();
  // Chosen for a moment: what is typed goes away when the choice does.
  useEffect(() => setAdded(undefined), [added]);
  const add = (id: Id | undefined): void => {
    if (id === undefined) return;
    setAdded(id);
    onAdd(id);
  };
  return <ComboBox {...rest} selected={added} onSelect={add} />;
};
