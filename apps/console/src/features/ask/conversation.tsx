/** A conversation with an agent: its turns, the one that is watched, and the field for the next question. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Button } from '../../ui/button.js';
import { shorten } from '../../ui/foreign-text.js';
import { LiveRegion } from '../../ui/live-region.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { plainTextOf, readBlocks } from './answer-blocks.js';
import { readKnownModel } from './answer-data.js';
import { Composer } from './composer.js';
import styles from './conversation.module.css';
import { draftKey, drafts, useDraft } from './drafts.js';
import { isOver, type LiveTurn } from './live-turn.js';
import { isRunning, turnsQuery, type StoredTurn } from './read-turns.js';
import { mergeTurns } from './shown-turn.js';
import { Suggestions } from './suggestions.js';
import { Turn } from './turn.js';
import { useLiveTurn } from './use-live-turn.js';

export type ConversationProps = {
  readonly agentId: string;
  /** A new one when undefined. */
  readonly conversationId: string | undefined;
  /** What stands in the field to begin with, until it is changed. */
  readonly suggested: string | undefined;
  readonly onSuggestionUsed: () => void;
  readonly openSteps: readonly string[];
  readonly onToggleStep: (id: string, isOpen: boolean) => void;
  /** The new conversation has its id. */
  readonly onBegun: (conversationId: string) => void;
};

export const Conversation = (props: ConversationProps) => {
  const { agentId, conversationId, suggested, onSuggestionUsed, onBegun } = props;
  const say = useMessages(askMessages);
  const key = draftKey(agentId, conversationId);
  const [draft, setDraft] = useDraft(key);
  const { live, ask, retry, stop, forget } = useLiveTurn({ agentId, conversationId }, (begunId) => {
    drafts.move(key, draftKey(agentId, begunId));
    onBegun(begunId);
  });
  const { turns, isLoading, error, refetch, earlier } = useTurns(agentId, conversationId, live);
  // Results of tools are read anew for turns that are new objects: not for each letter that is typed.
  const shown = useMemo(() => mergeTurns(turns, live), [turns, live]);
  const model = useKnownModel(turns);
  const last = useLastInView(live?.idempotencyKey ?? conversationId, !isLoading);
  const change = (text: string): void => {
    if (suggested !== undefined) onSuggestionUsed();
    setDraft(text);
  };
  const send = (message: string): void => {
    change('');
    ask(message);
  };
  const field = useRef<HTMLTextAreaElement>(null);
  const choose = (message: string): void => {
    ask(message);
    // The button goes; who pressed it by keyboard goes on in the field.
    field.current?.focus();
  };
  const isBusy = live !== undefined && !isOver(live);
  return (
    <div className={styles['conversation']}>
      <LiveRegion text={useSaid(live)} />
      {earlier !== undefined && (
        <Button variant="quiet" icon="arrow-up" onPress={earlier}>
          {say('earlier')}
        </Button>
      )}
      {isLoading && <Skeleton lines={8} />}
      {error !== null && <CallFault error={error} onRetry={refetch} />}
      {conversationId === undefined && shown.length === 0 && <Suggestions onChoose={choose} />}
      {shown.length > 0 && (
        <ol className={styles['turns']}>
          {shown.map((turn, at) => (
            <Turn
              key={turn.id}
              {...{ turn, model, onRetry: retry, onAskAgain: ask, onShowKept: forget }}
              turnRef={at === shown.length - 1 ? last : undefined}
              open={props.openSteps}
              onToggle={props.onToggleStep}
              onChoose={at === shown.length - 1 && !isBusy ? choose : undefined}
              onEdit={(message) => {
                forget();
                change(message);
              }}
            />
          ))}
        </ol>
      )}
      <Composer
        text={suggested ?? draft}
        onChange={change}
        onAsk={send}
        {...{ isBusy, onStop: stop, fieldRef: field }}
        isNew={conversationId === undefined}
      />
    </div>
  );
};

const turnsShown = 10;
const lookAgainMs = 3_000;

/** What was read; while the last turn runs without being watched here, it is read again. */
const useTurns = (agentId: string, conversationId: string | undefined, live: LiveTurn | undefined) => {
  const [shown, setShown] = useState({ conversationId, count: turnsShown });
  const count = shown.conversationId === conversationId ? shown.count : turnsShown;
  const isWatched = live !== undefined && !isOver(live);
  const query = useQuery({
    ...turnsQuery({ agent_id: agentId, conversation_id: conversationId ?? '' }, count),
    enabled: conversationId !== undefined && !isWatched,
    placeholderData: (before) => (before?.conversationId === conversationId ? before : undefined),
    refetchInterval: ({ state }) => (isRunning(state.data) ? lookAgainMs : false),
  });
  const turns = (conversationId === undefined ? undefined : query.data?.turns) ?? noTurns;
  const hasEarlier = (turns[0]?.turn ?? 1) > 1;
  return {
    turns,
    isLoading: conversationId !== undefined && query.isLoading && live === undefined,
    // What went wrong with the turn is said there.
    error: conversationId === undefined || live !== undefined ? null : query.error,
    refetch: () => void query.refetch(),
    earlier: hasEarlier ? () => setShown({ conversationId, count: count + turnsShown }) : undefined,
  };
};

const noTurns: readonly StoredTurn[] = [];

const useKnownModel = (turns: readonly StoredTurn[]) =>
  useMemo(() => readKnownModel(turns.flatMap(({ steps }) => steps.filter((step) => step.kind === 'tool'))), [turns]);

/** A question that was just asked, and the last one of a conversation that was just opened, come into sight. */
const useLastInView = (subject: string | undefined, isThere: boolean) => {
  const last = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (subject !== undefined && isThere) last.current?.scrollIntoView({ block: 'start' });
  }, [subject, isThere]);
  return last;
};

const saidLengthMax = 1_500;

/** What is said to who hears the page: that it goes on, and the whole answer, not piece by piece. */
const useSaid = (live: LiveTurn | undefined): string => {
  const say = useMessages(askMessages);
  if (live === undefined) return '';
  switch (live.phase) {
    case 'sending':
    case 'waiting':
      return say(live.phase);
    case 'running':
      return say('working');
    case 'answered':
      return say('saidAnswer', { text: shorten(plainTextOf(readBlocks(live.text)), saidLengthMax) });
    case 'failed':
      return say('saidFailed');
    case 'stopped':
      return say('saidStopped');
  }
};
