import { Checkbox, CheckboxGroup as AriaCheckboxGroup, FieldError, Label, Text } from 'react-aria-components';
import styles from './field.module.css';
import { Icon } from './icon.js';
import { OptionWords, type Option } from './options.js';

export type CheckboxGroupProps<Id extends string> = {
  readonly label: string;
  readonly options: readonly Option<Id>[];
  readonly selected: readonly Id[];
  /** In the order of the options. */
  readonly onChange: (selected: readonly Id[]) => void;
  readonly description?: string;
  /** What is wrong with the choice. */
  readonly error?: string;
};

/** Any of a few, all of them seen. */
export const CheckboxGroup = <Id extends string>(props: CheckboxGroupProps<Id>) => {
  const { label, options, selected, onChange, description, error } = props;
  return (
    <AriaCheckboxGroup
      value={[...selected]}
      onChange={(ids) => onChange(options.map(({ id }) => id).filter((id) => ids.includes(id)))}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {description !== undefined && (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <div className={styles['checks']}>
        {options.map((option) => (
          <Checkbox key={option.id} value={option.id} isDisabled={option.isDisabled} className={styles['check'] ?? ''}>
            <span className={styles['tick']}>
              <Icon name="check" />
            </span>
            <OptionWords label={option.label} description={option.description} />
          </Checkbox>
        ))}
      </div>
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </AriaCheckboxGroup>
  );
};
