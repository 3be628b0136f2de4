/** How others check the record without the platform: a signed file, and what stands in it. */
import { useMutation } from '@tanstack/react-query';
import { callForText } from '../../api/call.js';
import { useMessages } from '../../language/language-provider.js';
import { evidenceMessages } from '../../messages/evidence/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { saveText } from '../../ui/download-button.js';
import { Facts } from '../../ui/facts.js';
import { CallFault } from '../faults/call-fault.js';
import type { Evidence } from './addresses.js';
import styles from './evidence.module.css';

/** As the command line writes it. */
const command = 'tessera evidence verify';

export const Checking = ({ evidence: { statement, result } }: { readonly evidence: Evidence }) => {
  const say = useMessages(evidenceMessages);
  const { id, requestId, resultDigest } = statement;
  // Byte for byte as it was signed.
  const save = useMutation({
    mutationFn: () => callForText('exportEvidence', { evidence_id: id }),
    onSuccess: (text) => saveText({ text, fileName: `evidence-${id}.json`, mediaType: 'application/json' }),
  });
  const button = (
    <Button icon="arrow-down" isPending={save.isPending} onPress={() => save.mutate()}>
      {say('save')}
    </Button>
  );
  const code = (text: string) => <span className={styles['code']}>{text}</span>;
  return (
    <Card title={say('check')} actions={button}>
      {save.isError && <CallFault error={save.error} onRetry={() => save.mutate()} />}
      <p>{say('checkText', { command })}</p>
      <Facts
        facts={[
          { name: say('requestId'), value: code(requestId) },
          { name: say('resultDigest'), value: code(resultDigest) },
          ...(result === undefined ? [] : [{ name: say('digest'), value: code(result.rowsDigest) }]),
        ]}
      />
    </Card>
  );
};
