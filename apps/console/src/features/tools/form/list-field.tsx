import { useEffect, useRef } from 'react';
import { useMessages } from '../../../language/language-provider.js';
import { toolsMessages } from '../../../messages/tools/catalogue.js';
import { Button, IconButton } from '../../../ui/button.js';
import styles from '../tools.module.css';
import { ArgumentField, type ArgumentFieldProps, type FieldWords } from './argument-field.js';
import { addEntry, changeEntry, removeEntry, type DraftOf } from './draft.js';
import { FieldGroup } from './field-group.js';

export const ListField = (props: ArgumentFieldProps<DraftOf<'list'>> & FieldWords) => {
  const { label, path, draft, faults, onChange, description, error } = props;
  const say = useMessages(toolsMessages);
  const place = useFocusOnEntries(draft.entries.length);
  const nameOf = (at: number): string => say('entry', { name: label, number: at + 1 });
  return (
    <FieldGroup label={label} isRequired={draft.node.isRequired} description={description} error={error}>
      <div className={styles['list']} ref={place}>
        <ol className={styles['entries']}>
          {draft.entries.map(({ key, draft: entry }, at) => (
            <li key={key} className={styles['entry']}>
              <ArgumentField
                label={nameOf(at)}
                path={[...path, String(at)]}
                draft={entry}
                faults={faults}
                onChange={(changed) => onChange(changeEntry(draft, key, changed))}
              />
              <IconButton
                label={say('removeEntry', { name: nameOf(at) })}
                icon="close"
                onPress={() => onChange(removeEntry(draft, key))}
              />
            </li>
          ))}
        </ol>
        <Button onPress={() => onChange(addEntry(draft))}>{say('addEntry', { name: label })}</Button>
      </div>
    </FieldGroup>
  );
};

/** The focus goes to an entry that was added, and stays in the list when one was removed. */
const useFocusOnEntries = (count: number) => {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const added = count - before.current;
    before.current = count;
    if (added === 0) return;
    const target = added > 0 ? ':scope > ol > li:last-child :is(input, textarea, button)' : ':scope > button';
    place.current?.querySelector<HTMLElement>(target)?.focus();
  }, [count]);
  return place;
};
