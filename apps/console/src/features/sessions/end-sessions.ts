import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.js';
import { refusalOf } from '../../api/failures.js';

const isGone = (error: unknown): boolean => refusalOf(error)?.status === 404;

/** Ends sessions one after the other; one that has ended meanwhile is what was wanted. */
export const endSessions = async (
  sessionIds: readonly string[],
  end: (sessionId: string) => Promise<unknown>,
): Promise<number> => {
  for (const sessionId of sessionIds)
    try {
      await end(sessionId);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  return sessionIds.length;
};

/** `mutate(sessionIds)`; also after a failure the list is asked for anew, since some may have ended. */
export const useEndSessions = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sessionIds: readonly string[]) =>
      endSessions(sessionIds, (sessionId) => call('endOwnSession', { sessionId })),
    onSettled: () => client.invalidateQueries({ queryKey: ['listSessions'] }),
  });
};
