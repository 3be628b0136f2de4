/** Fields: a label, what is typed, what it is for, and what is wrong with it. */
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Group,
  Input,
  Label,
  SearchField as AriaSearchField,
  Text,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
} from 'react-aria-components';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { IconButton } from './button.js';
import { classNames } from './class-names.js';
import styles from './field.module.css';
import { Icon } from './icon.js';

export type FieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: ReactNode;
  /** What is wrong with the value; the field is marked. */
  readonly error?: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
  readonly autoFocus?: boolean;
  readonly name?: string;
  readonly placeholder?: string;
  /** For code, filters and formulas. */
  readonly isCode?: boolean;
};

type LineProps = FieldProps & {
  /** The value of `date` is a day (`2026-03-01`), or empty. */
  readonly type?: 'text' | 'password' | 'number' | 'url' | 'email' | 'date' | 'datetime-local';
  /** What the browser may fill in: `username`, `current-password`, `off`. */
  readonly autoComplete?: string;
};

const Below = ({ description, error }: Pick<FieldProps, 'description' | 'error'>) => (
  <>
    {description !== undefined && (
      <Text slot="description" className={styles['description'] ?? ''}>
        {description}
      </Text>
    )}
    <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
  </>
);

const inputClass = (isCode: boolean | undefined): string =>
  classNames(styles['input'], isCode === true && styles['code']);

/** One line. */
export const TextField = ({ label, description, error, placeholder, isCode, ...rest }: LineProps) => (
  <AriaTextField {...rest} isInvalid={error !== undefined} validationBehavior="aria" className={styles['field'] ?? ''}>
    <Label className={styles['label'] ?? ''}>{label}</Label>
    <Group isInvalid={error !== undefined} isDisabled={rest.isDisabled} className={styles['box'] ?? ''}>
      <Input
        className={inputClass(isCode)}
        placeholder={placeholder}
        dir="auto"
        spellCheck={isCode ? false : undefined}
      />
    </Group>
    <Below description={description} error={error} />
  </AriaTextField>
);

type AreaProps = FieldProps & {
  readonly rows?: number;
  /** Enter does this instead of beginning a new line; with Shift it begins one. */
  readonly onEnter?: () => void;
  /** For who gives it the focus. */
  readonly inputRef?: Ref<HTMLTextAreaElement>;
};

/** Not the Enter that ends the composition of a character. */
const isEnter = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing;

/** Several lines. */
export const TextArea = ({
  label,
  description,
  error,
  placeholder,
  isCode,
  rows = 4,
  onEnter,
  inputRef,
  ...rest
}: AreaProps) => (
  <AriaTextField {...rest} isInvalid={error !== undefined} validationBehavior="aria" className={styles['field'] ?? ''}>
    <Label className={styles['label'] ?? ''}>{label}</Label>
    <Group isInvalid={error !== undefined} isDisabled={rest.isDisabled} className={styles['box'] ?? ''}>
      <AriaTextArea
        ref={inputRef}
        className={classNames(inputClass(isCode), styles['area'])}
        rows={rows}
        placeholder={placeholder}
        onKeyDown={
          onEnter &&
          ((event) => {
            if (!isEnter(event)) return;
            event.preventDefault();
            onEnter();
          })
        }
        dir="auto"
        spellCheck={isCode ? false : undefined}
      />
    </Group>
    <Below description={description} error={error} />
  </AriaTextField>
);

export type SearchFieldProps = Pick<FieldProps, 'value' | 'onChange' | 'placeholder' | 'autoFocus'> & {
  /** Read aloud; the glass stands for it. */
  readonly label: string;
  readonly onSubmit?: (value: string) => void;
};

export const SearchField = ({ label, placeholder, ...rest }: SearchFieldProps) => {
  const say = useMessages(uiMessages);
  return (
    <AriaSearchField {...rest} aria-label={label} className={styles['field'] ?? ''}>
      <Group className={styles['box'] ?? ''}>
        <span className={styles['glyph']}>
          <Icon name="search" />
        </span>
        <Input className={styles['input'] ?? ''} placeholder={placeholder ?? label} dir="auto" />
        {rest.value !== '' && <IconButton label={say('clear')} icon="close" />}
      </Group>
    </AriaSearchField>
  );
};

export type CheckboxProps = {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
};

export const Checkbox = ({ children, ...rest }: CheckboxProps) => (
  <AriaCheckbox {...rest} className={styles['check'] ?? ''}>
    <span className={styles['tick']}>
      <Icon name="check" />
    </span>
    <span>{children}</span>
  </AriaCheckbox>
);
