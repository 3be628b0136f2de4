import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.js';
import { showToast } from '../../ui/toast-queue.js';

/** Ends the session of this browser and begins anew. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => call('endSession', {}, { withoutSession: 'fail' }),
    // Nothing of what was read stays in the page.
    onSuccess: () => window.location.assign(import.meta.env.BASE_URL),
    onError: ({ message }) => showToast('danger', message),
  });
