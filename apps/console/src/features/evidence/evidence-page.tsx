/** Evidence of an answer: what was asked of which data, what came of it as far as the reader may know, and the same question once more. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { refusalOf } from '../../api/failures.js';
import { operationQuery, useChange } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import type { Evidence } from './addresses.js';
import { AnswerCard } from './answer-card.js';
import { Checking } from './checking.js';
import styles from './evidence.module.css';
import { useModelKpis } from './model-kpis.js';
import { Origin } from './origin.js';
import { QuestionCard } from './question-card.js';
import { Replayed } from './replayed.js';

export const EvidencePage = ({ evidenceId }: { readonly evidenceId: string }) => {
  const say = useMessages(evidenceMessages);
  const evidence = useQuery(operationQuery('readEvidence', { evidence_id: evidenceId }));
  if (evidence.isSuccess) return <Found evidence={evidence.data} />;
  if (refusalOf(evidence.error)?.status === 404)
    return (
      <>
        <Head />
        <EmptyState title={say('notFound')} action={<AreaLink path="/figures">{say('askInFigures')}</AreaLink>}>
          {say('notFoundText')}
        </EmptyState>
      </>
    );
  return (
    <>
      <Head />
      {evidence.isError ? (
        <CallFault error={evidence.error} onRetry={() => void evidence.refetch()} />
      ) : (
        <Skeleton shape="box" lines={4} />
      )}
    </>
  );
};

type HeadProps = { readonly modelId?: string; readonly actions?: ReactNode };

const Head = ({ modelId, actions }: HeadProps) => {
  const say = useMessages(evidenceMessages);
  const trail = [
    <AreaLink key="figures" path="/figures">
      {say('toFigures')}
    </AreaLink>,
    ...(modelId === undefined
      ? []
      : [
          <AreaLink key="model" path="/figures/$modelId" params={{ modelId }}>
            {modelId}
          </AreaLink>,
        ]),
  ];
  return (
    <PageHead title={say('title')} trail={trail} actions={actions}>
      {say('lead')}
    </PageHead>
  );
};

const Found = ({ evidence }: { readonly evidence: Evidence }) => {
  const say = useMessages(evidenceMessages);
  const { statement } = evidence;
  const kpis = useModelKpis(statement.model.id);
  const replay = useChange('replayEvidence');
  const ask = (): void => replay.mutate({ evidence_id: statement.id });
  const askAgain = (
    <Button variant="primary" isPending={replay.isPending} onPress={ask}>
      {say('replay')}
    </Button>
  );
  return (
    <>
      <Head modelId={statement.model.id} actions={askAgain} />
      <div className={styles['parts']}>
        {replay.isError && <CallFault error={replay.error} onRetry={ask} />}
        {replay.isPending && <Skeleton shape="box" />}
        {replay.isSuccess && kpis !== undefined && <Replayed replayed={replay.data} kpis={kpis} />}
        <AnswerCard evidence={evidence} kpis={kpis} />
        <QuestionCard evidence={evidence} />
        <Origin evidence={evidence} />
        <Checking evidence={evidence} />
      </div>
    </>
  );
};
