import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.js';
import { refusalOf } from '../../api/failures.js';
import { useFaultToast } from '../faults/fault-toast.js';

/** Somebody has ended it elsewhere meanwhile: it is what was wanted. */
const isEndedAlready = (error: unknown): boolean => [401, 404].includes(refusalOf(error)?.status ?? 0);

/** Ends the session of this browser and begins anew. */
export const useSignOut = () => {
  const showFault = useFaultToast();
  return useMutation({
    mutationFn: async () => {
      try {
        await call('endSession', {}, { withoutSession: 'fail' });
      } catch (error) {
        if (!isEndedAlready(error)) throw error;
      }
    },
    // Nothing of what was read stays in the page.
    onSuccess: () => window.location.assign(import.meta.env.BASE_URL),
    onError: showFault,
  });
};
