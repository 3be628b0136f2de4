/** A question and its answer: what is chosen on one side, what comes of it on the other. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { refusalOf } from '../../api/failures.js';
import { operationQuery } from '../../api/queries.js';
import { Answer } from './answer.js';
import type { ConditionDraft } from './condition.js';
import styles from './figures.module.css';
import { placeFaults } from './filter-faults.js';
import { pageInput } from './question-input.js';
import { asksForSomething, changeQuestion, type Question } from './question.js';
import { QuestionForm } from './question-form.js';
import type { Schema } from './schema.js';

export type QuestionViewProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
  readonly onChange: (question: Question) => void;
  readonly draft: ConditionDraft;
  readonly onDraft: (draft: ConditionDraft) => void;
};

export const QuestionView = ({ modelId, schema, question, onChange, draft, onDraft }: QuestionViewProps) => {
  const page = useQuery({
    ...operationQuery('readModelData', pageInput(modelId, question, schema)),
    enabled: asksForSomething(question),
  });
  const faults = useMemo(() => placeFaults(question, refusalOf(page.error)), [question, page.error]);
  // Its fields are many, and an answer that comes changes none of them.
  const form = useMemo(
    () => (
      <QuestionForm
        {...{ schema, question, faults, draft, onDraft }}
        onChange={(change) => onChange(changeQuestion(question, change))}
      />
    ),
    [schema, question, faults, draft, onDraft, onChange],
  );
  return (
    <div className={styles['question']}>
      {form}
      <Answer {...{ modelId, schema, question, page }} onAsk={onChange} />
    </div>
  );
};
