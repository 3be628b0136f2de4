import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.js';
import { refusalOf } from '../../api/failures.js';
import { useFaultToast } from '../faults/fault-toast.js';

/** Somebody has ended it elsewhere meanwhile: it is what was wanted. */
const isEndedAlready = (error: unknown): boolean => [401, 404].includes(refusalOf(error)?.status ?? 0);

/** Ends the session of this browser, and at the issuer where it began there, and begins anew. */
export const useSignOut = () => {
  const showFault = useFaultToast();
  return useMutation({
    mutationFn: async () => {
      try {
        return (await call('endSession', {}, { withoutSession: 'fail' })).continueAt;
      } catch (error) {
        if (!isEndedAlready(error)) throw error;
        return undefined;
      }
    },
    // Nothing of what was read stays in the page.
    onSuccess: (continueAt) => window.location.assign(continueAt ?? import.meta.env.BASE_URL),
    onError: showFault,
  });
};
