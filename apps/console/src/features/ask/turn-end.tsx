/** How a turn ended, when it did not end with a whole answer, and the way on. */
import { useState, type ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Disclosure } from '../../ui/disclosure.js';
import { ForeignText, shorten } from '../../ui/foreign-text.js';
import { CallFault } from '../faults/call-fault.js';
import type { StoredTurn } from './read-turns.js';
import type { ShownTurn } from './shown-turn.js';
import styles from './turn-end.module.css';

export type TurnEndProps = {
  readonly turn: ShownTurn;
  /** The same message as a new question. */
  readonly onAskAgain: (message: string) => void;
  /** Back into the field, to be changed. */
  readonly onEdit: (message: string) => void;
  /** The message that failed, sent again. */
  readonly onRetry: () => void;
  /** What is kept, in place of what was seen until it was stopped. */
  readonly onShowKept: () => void;
  /** Of the last turn, while nothing else is asked: an answer to what it asks back. */
  readonly onChoose?: (message: string) => void;
};

export const TurnEnd = ({ turn: { message, choices = [], state, live, stored }, ...acts }: TurnEndProps) => {
  const say = useMessages(askMessages);
  if (live?.phase === 'failed') {
    const edit = (
      <Button variant="quiet" onPress={() => acts.onEdit(message)}>
        {say('editQuestion')}
      </Button>
    );
    return <CallFault error={live.error} onRetry={acts.onRetry} actions={live.turn === undefined && edit} />;
  }
  if (live?.phase === 'stopped')
    return (
      <End title={say('stoppedTitle')} text={say('stoppedText')}>
        <Button onPress={acts.onShowKept}>{say('showAnswer')}</Button>
        <Button variant="quiet" onPress={() => acts.onAskAgain(message)}>
          {say('askAgain')}
        </Button>
      </End>
    );
  if (stored === undefined) return null;
  if (state === 'failed' || state === 'interrupted')
    return (
      <End
        title={say(state === 'failed' ? 'failedTitle' : 'interruptedTitle')}
        text={state === 'failed' ? say('failedText', { code: stored.failure ?? '–' }) : say('interruptedText')}
      >
        <Button onPress={() => acts.onAskAgain(message)}>{say('askAgain')}</Button>
      </End>
    );
  return (
    <>
      <EarlyStop stored={stored} />
      {acts.onChoose !== undefined && choices.length > 0 && <Choices choices={choices} onChoose={acts.onChoose} />}
    </>
  );
};

const choiceLengthMax = 120;

type ChoicesProps = { readonly choices: readonly string[]; readonly onChoose: (message: string) => void };

const Choices = ({ choices, onChoose }: ChoicesProps) => {
  const say = useMessages(askMessages);
  return (
    <ul className={styles['acts']} aria-label={say('choices')}>
      {choices.map((choice) => (
        <li key={choice}>
          <Button onPress={() => onChoose(choice)}>
            <bdi>{shorten(choice, choiceLengthMax)}</bdi>
          </Button>
        </li>
      ))}
    </ul>
  );
};

type EndProps = { readonly title: string; readonly text: string; readonly children: ReactNode };

const End = ({ title, text, children }: EndProps) => (
  <Notice tone="warning">
    <div className={styles['end']}>
      <p className={styles['title']}>{title}</p>
      <p>{text}</p>
      <div className={styles['acts']}>{children}</div>
    </div>
  </Notice>
);

const stopWords = {
  steps: 'stopSteps',
  tokens: 'stopTokens',
  seconds: 'stopSeconds',
  'repeated-call': 'stopRepeated',
  'unknown-tools': 'stopUnknown',
  length: 'stopLength',
  'content-filter': 'stopFilter',
} as const;

const EarlyStop = ({ stored: { stop, structuredOutput } }: { readonly stored: StoredTurn }) => {
  const say = useMessages(askMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {stop !== undefined && stop !== 'answered' && <Notice tone="warning">{say(stopWords[stop])}</Notice>}
      {structuredOutput !== undefined && (
        <Disclosure title={say('structured')} isOpen={isOpen} onToggle={setOpen}>
          <pre className={styles['data']} dir="ltr">
            <ForeignText text={JSON.stringify(structuredOutput, undefined, 2)} />
          </pre>
        </Disclosure>
      )}
    </>
  );
};
