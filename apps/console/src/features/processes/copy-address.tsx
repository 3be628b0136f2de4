import { useRouterState } from '@tanstack/react-router';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { CopyButton } from '../../ui/copy-button.js';

/** The address of what is shown now, with all that is chosen. */
export const CopyAddress = () => {
  const say = useMessages(processesMessages);
  // Read to be drawn again when the address changes.
  const href = useRouterState({ select: ({ location }) => location.href });
  return <CopyButton key={href} text={window.location.href} what={say('address')} />;
};
