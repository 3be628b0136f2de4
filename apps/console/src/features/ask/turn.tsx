/** A question and its answer. */
import { memo, useMemo, type Ref } from 'react';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useMay } from '../session/me.js';
import { readBlocks } from './answer-blocks.js';
import { readAnswerViews, type KnownModel } from './answer-data.js';
import { readMarks } from './answer-marks.js';
import { AnswerText } from './answer-text.js';
import { AnswerViews } from './answer-views.js';
import type { ShownTurn } from './shown-turn.js';
import { Steps, type StepsProps } from './steps.js';
import { TurnEnd, type TurnEndProps } from './turn-end.js';
import styles from './turn.module.css';

export type TurnProps = Omit<StepsProps, 'steps' | 'showsEvidence'> &
  Omit<TurnEndProps, 'turn'> & {
    readonly turn: ShownTurn;
    readonly model: KnownModel | undefined;
    readonly turnRef?: Ref<HTMLLIElement>;
  };

export const Turn = ({ turn, model, open, onToggle, turnRef, ...acts }: TurnProps) => {
  const say = useMessages(askMessages);
  return (
    <li ref={turnRef} className={styles['turn']} aria-busy={turn.state === 'running'}>
      <div className={styles['question']}>
        <h2 className={styles['who']}>{say('you')}</h2>
        <ForeignText text={turn.message} isBlock />
      </div>
      <div className={styles['answer']}>
        <h3 className={styles['who']}>{say('answer')}</h3>
        <TurnAnswer {...{ turn, model, open, onToggle }} />
        <TurnEnd turn={turn} {...acts} />
        <TurnFacts turn={turn} />
      </div>
    </li>
  );
};

type TurnAnswerProps = Pick<TurnProps, 'turn' | 'model' | 'open' | 'onToggle'>;

/** Drawn when it changes, not for each event of another turn. */
const TurnAnswer = memo(({ turn, model, open, onToggle }: TurnAnswerProps) => {
  const mayReadEvidence = useMay()('knowledge-models:read');
  const { grounding, text } = turn;
  const marks = useMemo(
    () => readMarks(grounding, text).filter(({ mark }) => mayReadEvidence || mark.kind !== 'evidence'),
    [grounding, text, mayReadEvidence],
  );
  return (
    <>
      <Steps steps={turn.steps} open={open} showsEvidence={mayReadEvidence} onToggle={onToggle} />
      {text !== '' && <AnswerText text={text} marks={marks} />}
      {turn.state === 'running' && <Progress turn={turn} />}
      <TurnViews turn={turn} model={model} />
    </>
  );
});

const Progress = ({ turn: { live, text } }: Pick<TurnProps, 'turn'>) => {
  const say = useMessages(askMessages);
  const phase = live?.phase === 'sending' || live?.phase === 'waiting' ? live.phase : 'working';
  return (
    <>
      <p className={styles['note']}>{say(phase)}</p>
      {text === '' && <Skeleton label={say(phase)} lines={3} />}
    </>
  );
};

const TurnViews = ({ turn: { steps, text }, model }: Pick<TurnProps, 'turn' | 'model'>) => {
  const views = useMemo(() => {
    const calls = steps.flatMap((step) =>
      step.kind === 'tool' && step.result !== undefined && step.outcome !== undefined
        ? [{ ...step, result: step.result, isError: step.outcome.isError }]
        : [],
    );
    return readAnswerViews(calls, model?.id);
  }, [steps, model]);
  const hasTable = useMemo(() => readBlocks(text).some(({ kind }) => kind === 'table'), [text]);
  return <AnswerViews views={views} names={model?.names ?? noNames} hasTable={hasTable} />;
};

const noNames: ReadonlyMap<string, string> = new Map();

const TurnFacts = ({ turn: { stored } }: Pick<TurnProps, 'turn'>) => {
  const say = useMessages(askMessages);
  const { dateTime } = useFormats();
  if (stored === undefined) return null;
  const { startedAt, model, agentVersion } = stored;
  return (
    <p className={styles['facts']}>{say('turnFacts', { time: dateTime(startedAt), model, version: agentVersion })}</p>
  );
};
