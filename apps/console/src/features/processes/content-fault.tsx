import type { ReactNode } from 'react';
import { refusalOf } from '../../api/failures.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { CallFault } from '../faults/call-fault.js';
import { useViewpoint } from './viewpoint.js';

export type ContentFaultProps = { readonly error: unknown; readonly onRetry: () => void; readonly action?: ReactNode };

/** A read that failed. What is not found at a moment of the past was not there yet, or not any more. */
export const ContentFault = ({ error, onRetry, action }: ContentFaultProps) => {
  const say = useMessages(processesMessages);
  const { dateTime } = useFormats();
  const { asOf } = useViewpoint();
  if (refusalOf(error)?.status !== 404) return <CallFault error={error} onRetry={onRetry} />;
  if (asOf === undefined)
    return (
      <EmptyState title={say('elementNotFound')} action={action}>
        {say('elementNotFoundDetail')}
      </EmptyState>
    );
  return (
    <EmptyState title={say('notThen', { moment: dateTime(asOf) })} action={action}>
      {say('notThenDetail')}
    </EmptyState>
  );
};
