import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { faultsMessages } from '../../messages/faults/catalogue.js';
import { FaultView } from '../../ui/fault-view.js';
import { faultWords } from './fault-words.js';

export type CallFaultProps = {
  /** What a query, a change or a call threw. */
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly actions?: ReactNode;
};

/** `{query.isError && <CallFault error={query.error} onRetry={() => void query.refetch()} />}` */
export const CallFault = ({ error, ...rest }: CallFaultProps) => {
  const say = useMessages(faultsMessages);
  return <FaultView {...faultWords(error, say)} {...rest} />;
};
