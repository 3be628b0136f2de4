/** Asks the same question once more so that a record of it is kept, and leads to that record. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callWithHead } from '../../api/call.js';
import { useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './figures.module.css';
import { pageInput } from './question-input.js';
import type { Question } from './question.js';
import type { Schema } from './schema.js';

export type EvidenceButtonProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
};

export const EvidenceButton = ({ modelId, schema, question }: EvidenceButtonProps) => {
  const say = useMessages(figuresMessages);
  const navigate = useNavigate();
  const keep = useMutation({
    mutationFn: () => callWithHead('readModelData', { ...pageInput(modelId, question, schema), prefer: 'evidence' }),
    onSuccess: ({ head: { evidenceId } }) => {
      // A preference is no condition: the answer comes without a record when none can be kept.
      if (evidenceId === undefined) showToast('danger', say('noEvidence'));
      else void navigate({ to: '/evidence/$evidenceId', params: { evidenceId } });
    },
  });
  return (
    <>
      <Button variant="quiet" isPending={keep.isPending} onPress={() => keep.mutate()}>
        {say('evidence')}
      </Button>
      {keep.isError && (
        <div className={styles['wholeLine']}>
          <CallFault error={keep.error} onRetry={() => keep.mutate()} />
        </div>
      )}
    </>
  );
};
