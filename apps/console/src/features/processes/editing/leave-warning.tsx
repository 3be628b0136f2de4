import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { ConfirmDialog } from '../../../ui/dialog.js';

export type LeaveWarningProps = {
  readonly isDirty: boolean;
  /** What was typed is kept: the page may go on at once, before it is drawn again. */
  readonly isSaved: RefObject<boolean>;
};

/** Asks before what was typed is left behind: by a link, by going back, and by closing the window. */
export const LeaveWarning = ({ isDirty, isSaved }: LeaveWarningProps) => {
  const say = useMessages(processesEditingMessages);
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty && !isSaved.current,
    enableBeforeUnload: () => isDirty && !isSaved.current,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title={say('leaveTitle')}
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      confirm={say('leave')}
      onConfirm={() => blocker.proceed?.()}
      isDangerous
    >
      {say('leaveText')}
    </ConfirmDialog>
  );
};
