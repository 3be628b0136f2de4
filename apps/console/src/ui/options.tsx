/** One choice of several: what select, combobox and menu show in their lists. */
import { ListBox, ListBoxItem } from 'react-aria-components';
import { Icon } from './icon.js';
import styles from './options.module.css';

export type Option<Id extends string = string> = {
  readonly id: Id;
  readonly label: string;
  readonly description?: string;
  readonly isDisabled?: boolean;
};

export const OptionWords = ({ label, description }: Pick<Option, 'label' | 'description'>) => (
  <span className={styles['words']}>
    <bdi>{label}</bdi>
    {description !== undefined && <bdi className={styles['description']}>{description}</bdi>}
  </span>
);

type OptionListProps = {
  /** Left out where the field around it holds them. */
  readonly options?: readonly Option[];
  /** Said in place of an empty list. */
  readonly none?: string;
};

export const OptionList = ({ options, none }: OptionListProps) => (
  <ListBox<Option>
    items={options}
    className={styles['list'] ?? ''}
    renderEmptyState={() => <div className={styles['none']}>{none}</div>}
  >
    {({ id, label, description, isDisabled }) => (
      <ListBoxItem id={id} textValue={label} isDisabled={isDisabled} className={styles['option'] ?? ''}>
        {({ isSelected }) => (
          <>
            <span className={styles['mark']}>{isSelected && <Icon name="check" />}</span>
            <OptionWords label={label} description={description} />
          </>
        )}
      </ListBoxItem>
    )}
  </ListBox>
);
