/** Where a question is typed. What stands there stays until it is sent, whatever happens meanwhile. */
import { useEffect, useRef, type RefObject } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Button } from '../../ui/button.js';
import { TextArea } from '../../ui/field.js';
import styles from './composer.module.css';

/** What the contract takes. */
export const messageLengthMax = 32_000;

export type ComposerProps = {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onAsk: (message: string) => void;
  /** While an answer is watched: the next question waits in the field. */
  readonly isBusy: boolean;
  readonly onStop: () => void;
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  /** Who leaves a conversation for a new one goes on in the field. */
  readonly isNew: boolean;
};

export const Composer = ({ text, onChange, onAsk, isBusy, onStop, fieldRef: field, isNew }: ComposerProps) => {
  const say = useMessages(askMessages);
  const wasNew = useRef(isNew);
  useEffect(() => {
    if (isNew && !wasNew.current) field.current?.focus();
    wasNew.current = isNew;
  }, [isNew, field]);
  const isTooLong = text.length > messageLengthMax;
  const ask = (): void => {
    if (isBusy || isTooLong || text.trim() === '') return;
    onAsk(text);
  };
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <TextArea
        label={say('question')}
        value={text}
        onChange={onChange}
        onEnter={ask}
        inputRef={field}
        rows={2}
        description={say('questionHint')}
        error={isTooLong ? say('tooLong', { max: messageLengthMax, length: text.length }) : undefined}
      />
      <div className={styles['acts']}>
        <Button type="submit" variant="primary" icon="talk" isPending={isBusy}>
          {say('ask')}
        </Button>
        {isBusy && (
          <Button
            icon="close"
            onPress={() => {
              onStop();
              // The button goes; who pressed it by keyboard goes on in the field.
              field.current?.focus();
            }}
          >
            {say('stop')}
          </Button>
        )}
      </div>
    </form>
  );
};
