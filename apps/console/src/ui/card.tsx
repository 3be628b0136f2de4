import type { ReactNode } from 'react';
import styles from './card.module.css';

export type CardProps = {
  readonly title?: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a page that stands by itself. */
export const Card = ({ title, actions, children }: CardProps) => (
  <section className={styles['card']}>
    {title !== undefined && (
      <header className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        {actions}
      </header>
    )}
    {children}
  </section>
);

/** Cards, tiles and figures side by side, as many as fit. */
export const CardGrid = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['grid']}>{children}</div>
);
