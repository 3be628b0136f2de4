/** How a question is answered: which rows count and what policies take away; for who administers the team also its cost and SQL. */
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
import { useMay, useMe } from '../session/me.js';
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

export const ExplainDialog = ({ onClose, ...asked }: ExplainDialogProps) => {
  const say = useMessages(figuresMessages);
  const may = useMay();
  return (
    <Dialog title={say('explain')} isOpen onClose={onClose} size="large">
      {may('admin') ? <Administrators {...asked} /> : <Readers {...asked} />}
    </Dialog>
  );
};

type AskedProps = Omit<ExplainDialogProps, 'onClose'>;

/** In the view of who asks. */
const Readers = ({ modelId, schema, question }: AskedProps) => {
  const say = useMessages(figuresMessages);
  const explained = useQuery(
    operationQuery('explainOwnQuery', {
      ...{ km_id: modelId, explain: { query: { projection: projectionOf(question, schema) } } },
    }),
  );
  if (explained.isPending) return <Skeleton shape="box" lines={2} />;
  if (explained.isError) return <CallFault error={explained.error} onRetry={() => void explained.refetch()} />;
  const { words, grain, policies } = explained.data;
  const nameOf = (record: string): string => schema.recordById.get(record)?.name ?? record;
  const restricted = (kind: 'rows' | 'fields'): readonly string[] =>
    policies
      .filter((policy) => policy.startsWith(`${kind} of `))
      .map((policy) => nameOf(policy.slice(`${kind} of `.length)));
  return (
    <div className={styles['form']}>
      <p className={styles['note']}>{say('explainOwnText')}</p>
      <p>
        <ForeignText text={words} lang="en" />
      </p>
      <Facts
        facts={[
          { name: say('countedRows'), value: <Listed texts={grain.map(nameOf)} /> },
          { name: say('restrictedRows'), value: <Listed texts={restricted('rows')} /> },
          { name: say('restrictedFields'), value: <Listed texts={restricted('fields')} /> },
        ]}
      />
    </div>
  );
};

const Listed = ({ texts }: { readonly texts: readonly string[] }) => {
  const say = useMessages(figuresMessages);
  return texts.length === 0 ? say('noneOfThem') : <ForeignText text={texts.join('\n')} isBlock />;
};

const Administrators = ({ modelId, schema, question }: AskedProps) => {
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
    <>
      <p className={styles['note']}>{say('explainText')}</p>
      {explained.isPending ? (
        <Skeleton shape="box" lines={2} />
      ) : explained.isError ? (
        <CallFault error={explained.error} onRetry={() => void explained.refetch()} />
      ) : (
        <Explanation explained={explained.data} />
      )}
    </>
  );
};

const Explanation = ({ explained }: { readonly explained: AnswerFor<'explainQuery'> }) => {
  const say = useMessages(figuresMessages);
  const { number } = useFormats();
  const { grain, rowPolicies, hiddenFields, cost, sql } = explained;
  const whole = { maximumFractionDigits: 0 };
  const facts: readonly Fact[] = [
    { name: say('countedRows'), value: <Listed texts={grain} /> },
    { name: say('rowPolicies'), value: <Listed texts={rowPolicies.map(({ record, rows }) => `${record}: ${rows}`)} /> },
    { name: say('hiddenFields'), value: <Listed texts={hiddenFields} /> },
    ...(cost === undefined
      ? []
      : [
          { name: say('estimatedCost'), value: number(cost.total, whole) },
          { name: say('estimatedRows'), value: number(cost.rows, whole) },
          { name: say('usedIndexes'), value: <Listed texts={cost.indexes} /> },
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
