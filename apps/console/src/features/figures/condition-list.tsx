/** The conditions of a question, each with what is wrong with it, and the editor for a further one. */
import { useState } from 'react';
import type { CallFault } from '../../api/failures.js';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button, IconButton } from '../../ui/button.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { draftOf, emptyDraft, type ConditionDraft } from './condition.js';
import { ConditionEditor } from './condition-editor.js';
import { conditionWords } from './condition-words.js';
import { FaultsAt } from './faults-at.js';
import styles from './figures.module.css';
import type { Schema } from './schema.js';

export type ConditionListProps = {
  readonly schema: Schema;
  readonly conditions: readonly string[];
  /** By place. */
  readonly faults: ReadonlyMap<number, readonly CallFault[]>;
  readonly onChange: (conditions: readonly string[]) => void;
  /** Of the condition that is not asked yet. */
  readonly draft: ConditionDraft;
  readonly onDraft: (draft: ConditionDraft) => void;
};

export const ConditionList = ({ schema, conditions, faults, onChange, draft, onDraft }: ConditionListProps) => {
  const say = useMessages(figuresMessages);
  const add = (expression: string): void => {
    onDraft({ ...emptyDraft, mode: draft.mode });
    if (!conditions.includes(expression)) onChange([...conditions, expression]);
  };
  return (
    <section className={styles['part']} aria-label={say('conditions')}>
      <h3 className={styles['partTitle']}>{say('conditions')}</h3>
      {conditions.length > 0 && (
        <ul className={styles['chosen']}>
          {conditions.map((expression, at) => (
            // Each keeps what is typed in it while others come and go.
            <ConditionItem
              key={expression}
              {...{ schema, expression }}
              faults={faults.get(at) ?? []}
              onChange={(changed) =>
                onChange([...new Set(conditions.map((one) => (one === expression ? changed : one)))])
              }
              onRemove={() => onChange(conditions.filter((one) => one !== expression))}
            />
          ))}
        </ul>
      )}
      <ConditionEditor {...{ schema, draft, onDraft }} apply={say('addCondition')} onApply={add} />
    </section>
  );
};

type ConditionItemProps = {
  readonly schema: Schema;
  readonly expression: string;
  readonly faults: readonly CallFault[];
  readonly onChange: (expression: string) => void;
  readonly onRemove: () => void;
};

const ConditionItem = ({ schema, expression, faults, onChange, onRemove }: ConditionItemProps) => {
  const say = useMessages(figuresMessages);
  const { language } = usePreferences();
  const [edited, setEdited] = useState<ConditionDraft>();
  const isFaulty = faults.length > 0;
  const draft = edited ?? (isFaulty ? { ...draftOf(expression), mode: 'text' as const } : undefined);
  const words = conditionWords(expression, schema, say, language);
  return (
    <li className={styles['condition']}>
      <div className={styles['entry']}>
        <span className={styles['words']}>
          {words === undefined ? (
            <code>
              <ForeignText text={expression} />
            </code>
          ) : (
            <ForeignText text={words} />
          )}
        </span>
        {draft === undefined && (
          <Button variant="quiet" onPress={() => setEdited(draftOf(expression))}>
            {say('edit')}
          </Button>
        )}
        <IconButton label={say('remove', { name: words ?? expression })} icon="close" onPress={onRemove} />
      </div>
      <FaultsAt faults={faults} text={expression} />
      {draft !== undefined && (
        <ConditionEditor
          {...{ schema, draft }}
          onDraft={setEdited}
          apply={say('apply')}
          onApply={(changed) => (changed === expression ? setEdited(undefined) : onChange(changed))}
          onCancel={isFaulty ? undefined : () => setEdited(undefined)}
        />
      )}
    </li>
  );
};
