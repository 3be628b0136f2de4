import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import styles from './figures.module.css';
import { changeQuestion, type Question } from './question.js';
import type { Schema } from './schema.js';

const kpisMax = 6;

export type FirstQuestionsProps = {
  readonly schema: Schema;
  readonly question: Question;
  readonly onAsk: (question: Question) => void;
};

/** In place of an answer, while nothing is asked: what to begin with. */
export const FirstQuestions = ({ schema, question, onAsk }: FirstQuestionsProps) => {
  const say = useMessages(figuresMessages);
  const suggestions = (
    <div className={styles['line']}>
      {schema.kpis.slice(0, kpisMax).map(({ id, name }) => (
        <Button key={id} onPress={() => onAsk(changeQuestion(question, { kpis: [id] }))}>
          <bdi>{name}</bdi>
        </Button>
      ))}
    </div>
  );
  return (
    <EmptyState title={say('noQuestion')} action={suggestions}>
      {say('noQuestionText')}
    </EmptyState>
  );
};
