/** A number, typed and shown as the language of the page writes it. */
import { FieldError, Group, Input, Label, NumberField as AriaNumberField, Text } from 'react-aria-components';
import type { FieldProps } from './field.js';
import styles from './field.module.css';

export type NumberFieldProps = Pick<FieldProps, 'label' | 'description' | 'error' | 'isRequired' | 'isDisabled'> & {
  /** Undefined while the field is empty. */
  readonly value: number | undefined;
  /** When the field is left, or Enter is pressed. */
  readonly onChange: (value: number | undefined) => void;
  /** While it is typed: what was said of the value before does not hold any more. */
  readonly onTyping?: () => void;
};

/** Digits are neither grouped nor rounded: what is typed is what counts. */
const plainNumber: Intl.NumberFormatOptions = { useGrouping: false, maximumFractionDigits: 20 };

export const NumberField = ({ label, value, onChange, onTyping, description, error, ...rest }: NumberFieldProps) => (
  <AriaNumberField
    {...rest}
    value={value ?? Number.NaN}
    onChange={(typed) => onChange(Number.isNaN(typed) ? undefined : typed)}
    formatOptions={plainNumber}
    isWheelDisabled
    isInvalid={error !== undefined}
    validationBehavior="aria"
    className={styles['field'] ?? ''}
  >
    <Label className={styles['label'] ?? ''}>{label}</Label>
    <Group isInvalid={error !== undefined} isDisabled={rest.isDisabled} className={styles['box'] ?? ''}>
      <Input className={styles['input'] ?? ''} onInput={onTyping} />
    </Group>
    {description !== undefined && (
      <Text slot="description" className={styles['description'] ?? ''}>
        {description}
      </Text>
    )}
    <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
  </AriaNumberField>
);
