/** What a relation leads to: what is there can be removed, what is found can be added. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { operationQuery } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { IconButton } from '../../../ui/button.js';
import { ComboBox } from '../../../ui/combobox.js';
import { shorten } from '../../../ui/foreign-text.js';
import { definedName, textInCulture } from '../names.js';
import { useViewpoint } from '../viewpoint.js';
import type { EditorField, Reference } from './editor-fields.js';
import styles from './editing.module.css';
import { FieldFault } from './field-fault.js';

export type ReferenceFieldProps = {
  readonly field: EditorField;
  readonly references: readonly Reference[];
  readonly onChange: (references: readonly Reference[]) => void;
  readonly error: string | undefined;
};

const nameLengthMax = 120;

export const ReferenceField = ({ field, references, onChange, error }: ReferenceFieldProps) => {
  const say = useMessages(processesEditingMessages);
  const isOpen = field.isMany || references.length === 0;
  return (
    <fieldset className={styles['group']}>
      <legend className={styles['legend']}>{field.label}</legend>
      {references.length > 0 && (
        <ul className={styles['references']}>
          {references.map((reference) => (
            <li key={reference.id} className={styles['reference']}>
              <bdi>{shorten(reference.name, nameLengthMax)}</bdi>
              <IconButton
                label={say('removeItem', { name: shorten(reference.name, nameLengthMax) })}
                icon="close"
                onPress={() => onChange(references.filter(({ id }) => id !== reference.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <ReferenceSearch field={field} taken={references} onAdd={(reference) => onChange([...references, reference])} />
      )}
      <FieldFault error={error} />
    </fieldset>
  );
};

const searchDelayMs = 250;
const foundMax = 50;

/** The text, once nobody has typed for a moment. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDelayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

type ReferenceSearchProps = {
  readonly field: EditorField;
  readonly taken: readonly Reference[];
  readonly onAdd: (reference: Reference) => void;
};

const ReferenceSearch = ({ field, taken, onAdd }: ReferenceSearchProps) => {
  const say = useMessages(processesEditingMessages);
  const { place, culture } = useViewpoint();
  const [text, setText] = useState('');
  // The list closes when an element is chosen; it is none any more once something else is typed.
  const [added, setAdded] = useState<string>();
  const wanted = useSettled(text.trim());
  const search = useQuery({
    ...operationQuery('searchElements', { ...place, $search: wanted, $pageSize: foundMax }),
    enabled: wanted !== '',
  });
  const found = (wanted === '' ? [] : (search.data?.values ?? [])).filter(
    ({ id, type }) => (field.to?.includes(type) ?? true) && !taken.some((reference) => reference.id === id),
  );
  const add = (id: string | undefined): void => {
    const chosen = found.find((element) => element.id === id);
    if (chosen === undefined) return;
    setAdded(id);
    setText('');
    onAdd({ id: chosen.id, facetName: chosen.facetName, name: textInCulture(chosen.name, culture).text || chosen.id });
  };
  const type = (typed: string): void => {
    setText(typed);
    setAdded(undefined);
  };
  return (
    <ComboBox
      label={say('addTo', { relation: field.label })}
      options={found.map(({ id, name, type, displayNames, rootPath }) => ({
        id,
        label: textInCulture(name, culture).text || id,
        // Several may have the same name: where they stand tells them apart.
        description: [
          definedName(type, displayNames, culture),
          ...rootPath.map((above) => textInCulture(above.name, culture).text).toReversed(),
        ].join(' / '),
      }))}
      selected={added}
      opensOn="input"
      onSelect={add}
      description={search.isError ? say('searchFailed') : say('typeToFind')}
      search={{ text, onChange: type, isLoading: text.trim() !== wanted || search.isFetching }}
    />
  );
};
