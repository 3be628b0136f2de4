import type { ReactNode } from 'react';
import { ForeignText } from '../../../ui/foreign-text.js';
import { classNames } from '../../../ui/class-names.js';
import styles from '../tools.module.css';
import type { FieldWords } from './argument-field.js';

export type FieldGroupProps = FieldWords & {
  readonly label: string;
  readonly isRequired: boolean;
  /** Where it stands above already, it is only read aloud. */
  readonly isLabelShown?: boolean;
  readonly children: ReactNode;
};

/** Fields that belong together, with what is wrong with them as a whole. */
export const FieldGroup = (props: FieldGroupProps) => {
  const { label, isRequired, isLabelShown = true, description, error, children } = props;
  return (
    <fieldset className={styles['group']}>
      <legend
        className={isLabelShown ? classNames(styles['legend'], isRequired && styles['required']) : styles['hidden']}
      >
        <bdi>{label}</bdi>
      </legend>
      {description !== undefined && (
        <p className={styles['note']}>
          <ForeignText text={description} isBlock />
        </p>
      )}
      {error !== undefined && (
        <p className={styles['fault']} role="alert" tabIndex={-1}>
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
};
