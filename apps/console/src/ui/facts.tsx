import type { ReactNode } from 'react';
import styles from './facts.module.css';

export type Fact = { readonly name: string; readonly value: ReactNode };

/** Names and values, one below the other. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={styles['facts']}>
    {facts.map(({ name, value }) => (
      <div key={name} className={styles['fact']}>
        <dt className={styles['name']}>{name}</dt>
        <dd className={styles['value']}>{value}</dd>
      </div>
    ))}
  </dl>
);
