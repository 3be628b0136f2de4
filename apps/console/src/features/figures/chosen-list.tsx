import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { IconButton } from '../../ui/button.js';
import styles from './figures.module.css';

export type ChosenEntry = {
  readonly id: string;
  readonly name: string;
  readonly detail?: string | undefined;
  readonly control?: ReactNode;
};

export type ChosenListProps = {
  /** What was chosen; read aloud. */
  readonly label: string;
  readonly entries: readonly ChosenEntry[];
  readonly onRemove: (id: string) => void;
};

/** What was chosen, each with a way to take it away again. */
export const ChosenList = ({ label, entries, onRemove }: ChosenListProps) => {
  const say = useMessages(figuresMessages);
  if (entries.length === 0) return null;
  return (
    <ul className={styles['chosen']} aria-label={label}>
      {entries.map(({ id, name, detail, control }) => (
        <li key={id} className={styles['entry']}>
          <span className={styles['words']}>
            <bdi className={styles['name']} title={name}>
              {name}
            </bdi>
            {detail !== undefined && (
              <bdi className={styles['detail']} title={detail}>
                {detail}
              </bdi>
            )}
          </span>
          {control}
          <IconButton label={say('remove', { name })} icon="close" onPress={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
};
