/** Asks an agent and watches the answer. Who stops or leaves no longer watches; the agent goes on, and the answer is kept. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { stream } from '../../api/call.js';
import { beginTurn, type LiveTurn } from './live-turn.js';
import { belongsTo } from './shown-turn.js';
import { pauseFor, watchTurn } from './watch-turn.js';

type Open = { readonly agentId: string; readonly conversationId: string | undefined };

export type LiveTurnControl = {
  /** What is watched in the conversation that is open. */
  readonly live: LiveTurn | undefined;
  readonly ask: (message: string) => void;
  /** The same message again: answered once, however often it is sent. */
  readonly retry: () => void;
  readonly stop: () => void;
  /** From now on what was read is shown in its place. */
  readonly forget: () => void;
};

/** What a turn has changed. */
const useReadAgain = (): (() => Promise<unknown>) => {
  const client = useQueryClient();
  return () =>
    Promise.all(
      // What is on its way was asked for after the turn had ended.
      (['readConversation', 'listConversations'] as const).map((name) =>
        client.invalidateQueries({ queryKey: [name] }, { cancelRefetch: false }),
      ),
    );
};

/** `onBegun`: a new conversation has its id. */
export const useLiveTurn = (open: Open, onBegun: (conversationId: string) => void): LiveTurnControl => {
  const readAgain = useReadAgain();
  const [live, setLive] = useState<LiveTurn>();
  const [hasArrived, setArrived] = useState(false);
  const watching = useRef<AbortController>(undefined);
  useEffect(() => () => watching.current?.abort(), []);

  if (
    live !== undefined &&
    !hasArrived &&
    live.conversationId === open.conversationId &&
    open.conversationId !== undefined
  )
    setArrived(true);

  const watch = async (begun: LiveTurn): Promise<void> => {
    watching.current?.abort();
    const controller = new AbortController();
    watching.current = controller;
    const { signal } = controller;
    setLive(begun);
    let knownId = begun.conversationId;
    const report = (now: LiveTurn): void => {
      if (signal.aborted) return;
      setLive(now);
      if (now.conversationId === knownId || now.conversationId === undefined) return;
      knownId = now.conversationId;
      onBegun(now.conversationId);
    };
    const { agentId, message, askedIn, idempotencyKey } = begun;
    const send = () =>
      stream(
        'converse',
        {
          ...{ agent_id: agentId, idempotencyKey, accept: 'text/event-stream' },
          message: { message, ...(askedIn !== undefined && { conversationId: askedIn }) },
        },
        { signal },
      );
    await watchTurn({ begun, send, report, pause: (afterMs) => pauseFor(afterMs, signal) }).catch(() => undefined);
    await readAgain();
  };

  return {
    live: live !== undefined && belongsTo(live, open, hasArrived) ? live : undefined,
    ask: (message) => {
      setArrived(false);
      const begin = { agentId: open.agentId, message, askedIn: open.conversationId };
      void watch(beginTurn({ ...begin, idempotencyKey: crypto.randomUUID() }));
    },
    retry: () => {
      if (live !== undefined) void watch({ ...live, phase: 'sending', error: undefined, text: '', steps: [] });
    },
    stop: () => {
      watching.current?.abort();
      setLive((now) => now && { ...now, phase: 'stopped' });
    },
    forget: () => {
      watching.current?.abort();
      setLive(undefined);
    },
  };
};
