import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export type EmptyStateProps = {
  /** What there is none of. */
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

/** In place of what is not there. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className={styles['empty']}>
    <p className={styles['title']}>{title}</p>
    {children !== undefined && <div className={styles['text']}>{children}</div>}
    {action}
  </div>
);
