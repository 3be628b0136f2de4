/** How a question is answered: which rows count, what policies take away, what it costs, its SQL. For who administers the team. */
import { useQuery } from '@tanstack/react-query';
import type { AnswerFor } from '../../api/operations.js';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { useMe } from '../session/me.js';
import styles from './figures.module.css';
import { projectionOf } from './question-input.js';
import type { Question } from './question.js';
import type { Schema } from './schema.js';

export type ExplainDialogProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
  readonly onClose: () => void;
};

export const ExplainDialog = ({ modelId, schema, question, onClose }: ExplainDialogProps) => {
  const say = useMessages(figuresMessages);
  const { team, scopes, furtherScopes } = useMe();
  const explained = useQuery(
    operationQuery('explainQuery', {
      ...{ team, modelId },
      explain: {
        query: { projection: projectionOf(question, schema) },
        caller: { scopes: [...scopes, ...furtherScopes] },
      },
    }),
  );
  return (
    <Dialog title={say('explain')} isOpen onClose={onClose} size="large">
      <p className={styles['note']}>{say('explainText')}</p>
      {explained.isPending ? (
        <Skeleton shape="box" lines={2} />
      ) : explained.isError ? (
        <CallFault error={explained.error} onRetry={() => void explained.refetch()} />
      ) : (
        <Explanation explained={explained.data} />
      )}
    </Dialog>
  );
};

const Explanation = ({ explained }: { readonly explained: AnswerFor<'explainQuery'> }) => {
  const say = useMessages(figuresMessages);
  const { number } = useFormats();
  const { grain, rowPolicies, hiddenFields, cost, sql } = explained;
  const whole = { maximumFractionDigits: 0 };
  const listed = (texts: readonly string[]) =>
    texts.length === 0 ? say('noneOfThem') : <ForeignText text={texts.join('\n')} isBlock />;
  const facts: readonly Fact[] = [
    { name: say('countedRows'), value: listed(grain) },
    { name: say('rowPolicies'), value: listed(rowPolicies.map(({ record, rows }) => `${record}: ${rows}`)) },
    { name: say('hiddenFields'), value: listed(hiddenFields) },
    ...(cost === undefined
      ? []
      : [
          { name: say('estimatedCost'), value: number(cost.total, whole) },
          { name: say('estimatedRows'), value: number(cost.rows, whole) },
          { name: say('usedIndexes'), value: listed(cost.indexes) },
        ]),
  ];
  return (
    <div className={styles['form']}>
      <Facts facts={facts} />
      <div className={styles['line']}>
        <h3 className={styles['partTitle']}>SQL</h3>
        <CopyButton text={sql} what="SQL" />
      </div>
      <pre className={styles['shared']}>
        <code>{sql}</code>
      </pre>
    </div>
  );
};
