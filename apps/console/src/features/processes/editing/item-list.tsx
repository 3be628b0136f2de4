import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { Button, IconButton } from '../../../ui/button.js';
import { TextField } from '../../../ui/field.js';
import type { LinkItem } from './editor-fields.js';
import styles from './editing.module.css';
import { FieldFault } from './field-fault.js';

export type ItemListProps = {
  readonly label: string;
  readonly items: readonly LinkItem[];
  readonly onChange: (items: readonly LinkItem[]) => void;
  readonly error: string | undefined;
};

/** Files or links: a title and an address each. */
export const ItemList = ({ label, items, onChange, error }: ItemListProps) => {
  const say = useMessages(processesEditingMessages);
  const change = (at: number, changed: Partial<LinkItem>): void =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...changed } : item)));
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['legend']}>{label}</legend>
      {items.map((item, at) => (
        <div key={at} className={styles['item']}>
          <TextField
            label={say('itemTitle')}
            value={item.title ?? ''}
            onChange={(title) => change(at, { title: title === '' ? undefined : title })}
          />
          <TextField
            label={say('itemAddress')}
            value={item.url}
            onChange={(url) => change(at, { url })}
            error={item.url.trim() === '' ? error : undefined}
            isCode
          />
          <IconButton
            label={say('removeItem', { name: item.title ?? item.url })}
            icon="close"
            onPress={() => onChange(items.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <FieldFault error={items.every(({ url }) => url.trim() !== '') ? error : undefined} />
      <div>
        <Button variant="quiet" onPress={() => onChange([...items, { url: '' }])}>
          {say('addItem')}
        </Button>
      </div>
    </fieldset>
  );
};
