/** What is there for who hears the page, and not seen. */
import type { ReactNode } from 'react';
import styles from './live-region.module.css';

/** Said when they have finished what they listen to. Change the text to say something else. */
export const LiveRegion = ({ text }: { readonly text: string }) => (
  <p className={styles['unseen']} role="status" aria-live="polite">
    {text}
  </p>
);

/** Words beside what is seen that say to who hears the page what a colour or a line says. */
export const Unseen = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles['unseen']}>{children}</span>
);
