import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.js';

export type Tone = 'plain' | 'accent' | 'success' | 'warning' | 'danger';

/** A state in a word or two; the colour says nothing that the words do not. */
export const Badge = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={classNames(styles['badge'], styles[tone])}>{children}</span>
);

/** A sentence that must be seen, in the flow of the page. */
export const Notice = ({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <div className={classNames(styles['notice'], styles[tone])} role="status">
    {children}
  </div>
);
