import { Button, FieldError, Label, Popover, Select as AriaSelect, SelectValue, Text } from 'react-aria-components';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import fieldStyles from './field.module.css';
import { Icon } from './icon.js';
import { OptionList, type Option } from './options.js';
import styles from './options.module.css';

export type SelectProps<Id extends string> = {
  readonly label: string;
  readonly options: readonly Option<Id>[];
  /** The id of the chosen option. */
  readonly selected: Id | undefined;
  readonly onSelect: (id: Id) => void;
  readonly description?: string;
  /** What is wrong with the choice; the field is marked. */
  readonly error?: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly placeholder?: string;
};

/** One of a few; of more than twenty a ComboBox is the better choice. */
export const Select = <Id extends string>(props: SelectProps<Id>) => {
  const { label, options, selected, onSelect, description, error, ...rest } = props;
  const say = useMessages(uiMessages);
  const select = (key: unknown): void => {
    const chosen = options.find(({ id }) => id === key);
    if (chosen !== undefined) onSelect(chosen.id);
  };
  return (
    <AriaSelect
      {...rest}
      placeholder={rest.placeholder ?? say('choose')}
      value={selected ?? null}
      onChange={select}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={fieldStyles['field'] ?? ''}
    >
      <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
      <Button className={styles['trigger'] ?? ''}>
        <SelectValue className={styles['value'] ?? ''}>
          {({ defaultChildren, isPlaceholder }) =>
            isPlaceholder ? defaultChildren : <bdi>{options.find(({ id }) => id === selected)?.label}</bdi>
          }
        </SelectValue>
        <Icon name="chevron-down" />
      </Button>
      {description !== undefined && (
        <Text slot="description" className={fieldStyles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={fieldStyles['error'] ?? ''}>{error}</FieldError>
      <Popover className={styles['popover'] ?? ''}>
        <OptionList options={options} />
      </Popover>
    </AriaSelect>
  );
};
