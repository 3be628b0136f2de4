/** One's conversations with an agent, the newest first: opened, and deleted after a question. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import { pagedQuery, useChange } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { EmptyState } from '../../ui/empty-state.js';
import { shorten } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { TextLink } from '../../ui/text-link.js';
import { showToast } from '../../ui/toast-queue.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './conversation-list.module.css';

type Listed = AnswerFor<'listConversations'>['conversations'][number];

export type ConversationListProps = {
  readonly agentId: string;
  readonly onDeleted: (conversationId: string) => void;
};

const pageSize = 20;
const titleLengthMax = 90;

export const ConversationList = ({ agentId, onDeleted }: ConversationListProps) => {
  const say = useMessages(askMessages);
  const [asked, setAsked] = useState<Listed>();
  const list = useInfiniteQuery(
    pagedQuery('listConversations', { agent_id: agentId, pageSize }, ({ next }, input) =>
      next === undefined ? undefined : { ...input, after: next },
    ),
  );
  if (list.isPending) return <Skeleton lines={6} />;
  if (list.isError) return <CallFault error={list.error} onRetry={() => void list.refetch()} />;
  const found = list.data.pages.flatMap(({ conversations }) => conversations);
  if (found.length === 0) return <EmptyState title={say('noConversations')}>{say('noConversationsText')}</EmptyState>;
  return (
    <>
      <ul className={styles['list']}>
        {found.map((conversation) => (
          <Entry
            key={conversation.conversationId}
            conversation={conversation}
            onDelete={() => setAsked(conversation)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="quiet" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {say('moreConversations')}
        </Button>
      )}
      <DeleteDialog agentId={agentId} conversation={asked} onClose={() => setAsked(undefined)} onDeleted={onDeleted} />
    </>
  );
};

type EntryProps = { readonly conversation: Listed; readonly onDelete: () => void };

const stateWords = { failed: 'stateFailed', interrupted: 'stateInterrupted', running: 'stateRunning' } as const;

const Entry = ({ conversation, onDelete }: EntryProps) => {
  const say = useMessages(askMessages);
  const { relative } = useFormats();
  const { agentId, conversationId, firstMessage, changedAt, turnCount, state } = conversation;
  const title = shorten(firstMessage, titleLengthMax);
  return (
    <li className={styles['entry']}>
      <div className={styles['words']}>
        <TextLink to="/ask" search={{ agent: agentId, conversation: conversationId }}>
          <bdi>{title}</bdi>
        </TextLink>
        <span className={styles['facts']}>
          {relative(changedAt)} · {say('questionCount', { count: turnCount })}{' '}
          {state !== 'completed' && (
            <Badge tone={state === 'running' ? 'accent' : 'warning'}>{say(stateWords[state])}</Badge>
          )}
        </span>
      </div>
      <IconButton label={say('deleteConversation', { conversation: title })} icon="close" onPress={onDelete} />
    </li>
  );
};

type DeleteDialogProps = ConversationListProps & {
  readonly conversation: Listed | undefined;
  readonly onClose: () => void;
};

const DeleteDialog = ({ agentId, conversation, onClose, onDeleted }: DeleteDialogProps) => {
  const say = useMessages(askMessages);
  const remove = useChange('deleteConversation', { invalidates: ['listConversations'] });
  const confirm = (): void => {
    if (conversation === undefined) return;
    const { conversationId } = conversation;
    remove.mutate(
      { agent_id: agentId, conversation_id: conversationId },
      {
        onSuccess: () => {
          showToast('success', say('deleted'));
          onClose();
          onDeleted(conversationId);
        },
      },
    );
  };
  return (
    <ConfirmDialog
      title={say('deleteTitle')}
      isOpen={conversation !== undefined}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      confirm={say('delete')}
      onConfirm={confirm}
      isPending={remove.isPending}
      isDangerous
    >
      <p>
        <bdi>{shorten(conversation?.firstMessage ?? '', titleLengthMax)}</bdi>
      </p>
      <p>{say('deleteText')}</p>
      {remove.isError && <CallFault error={remove.error} />}
    </ConfirmDialog>
  );
};
