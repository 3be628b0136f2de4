import type { AnswerFor } from '../../api/operations.js';
import type { Say } from '../../language/catalogue.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import { TextLink } from '../../ui/text-link.js';
import styles from './tools.module.css';

export type ToolCall = AnswerFor<'listOwnCalls'>['calls'][number];

/** Failures are called as everywhere in logs and documentation. */
export const wordOfOutcome = (outcome: string, say: Say<typeof toolsMessages.en>): string =>
  outcome === 'ok' || outcome === 'running' ? say(outcome) : outcome;

export type CallDetailsProps = { readonly call: ToolCall; readonly onClose: () => void };

/** All that the log keeps of a call. */
export const CallDetails = ({ call, onClose }: CallDetailsProps) => {
  const say = useMessages(toolsMessages);
  const { dateTime } = useFormats();
  const { toolId, assetId, version, outcome, startedAt, durationMs, door, requestId, callId, argumentsDigest } = call;
  const search = version === 'draft' ? { tool: toolId, draft: true as const } : { tool: toolId };
  return (
    <Dialog title={say('details', { tool: toolId })} isOpen onClose={onClose} size="large">
      <Facts
        facts={[
          {
            name: say('tool'),
            value: (
              <TextLink to="/tools/$assetId" params={{ assetId }} search={search}>
                <bdi>{toolId}</bdi>
              </TextLink>
            ),
          },
          { name: say('asset'), value: <ForeignText text={assetId} /> },
          { name: say('version'), value: version },
          { name: say('outcome'), value: wordOfOutcome(outcome, say) },
          { name: say('time'), value: dateTime(startedAt) },
          ...(durationMs === undefined
            ? []
            : [{ name: say('duration'), value: say('took', { ms: Math.round(durationMs) }) }]),
          { name: say('way'), value: say(door) },
          { name: say('requestId'), value: <Copied text={requestId} what={say('requestId')} /> },
          { name: say('callId'), value: <Copied text={callId} what={say('callId')} /> },
          { name: say('argumentsDigest'), value: <Copied text={argumentsDigest} what={say('argumentsDigest')} /> },
        ]}
      />
      <p className={styles['note']}>{say('argumentsNotKept')}</p>
    </Dialog>
  );
};

const Copied = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <>
    <code>{text}</code> <CopyButton text={text} what={what} />
  </>
);
