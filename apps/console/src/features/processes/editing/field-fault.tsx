import styles from './editing.module.css';

/** What is wrong with a value, below what has no place of its own for it. */
export const FieldFault = ({ error }: { readonly error: string | undefined }) =>
  error !== undefined && (
    <p className={styles['fault']} role="alert">
      {error}
    </p>
  );
