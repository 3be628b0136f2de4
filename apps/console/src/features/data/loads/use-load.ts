/** A load that goes on while its page is open. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.js';
import { runLoad, type LoadOutcome, type LoadPlan, type LoadProgress } from './run-load.js';

export type LoadView =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly progress: LoadProgress }
  | { readonly kind: 'ended'; readonly outcome: LoadOutcome }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' };

const begun: LoadProgress = { phase: 'sending', bytes: 0, rows: 0 };

export const useLoad = () => {
  const [view, setView] = useState<LoadView>({ kind: 'idle' });
  const client = useQueryClient();
  const aborting = useRef<AbortController>(undefined);
  useEffect(() => () => aborting.current?.abort(), []);

  /** `prepare` is done first, and the load says what is left to do. */
  const start = useCallback(
    async (prepare: (signal: AbortSignal) => Promise<LoadPlan>): Promise<void> => {
      aborting.current?.abort();
      const controller = new AbortController();
      aborting.current = controller;
      const { signal } = controller;
      setView({ kind: 'running', progress: begun });
      const onProgress = (progress: LoadProgress): void => setView({ kind: 'running', progress });
      try {
        const outcome = await runLoad(await prepare(signal), { call, signal, onProgress });
        setView({ kind: 'ended', outcome });
      } catch (error) {
        setView(signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', error });
      }
      await Promise.all(['listTables', 'listLoads'].map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
    [client],
  );
  const cancel = useCallback(() => aborting.current?.abort(), []);
  return { view, start, cancel };
};
