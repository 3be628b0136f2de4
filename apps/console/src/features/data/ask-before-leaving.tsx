import { useBlocker } from '@tanstack/react-router';
import { useMessages } from '../../language/language-provider.js';
import { dataMessages } from '../../messages/data/catalogue.js';
import { ConfirmDialog } from '../../ui/dialog.js';

export type AskBeforeLeavingProps = {
  /** Something would be lost. */
  readonly isNeeded: boolean;
  readonly title: string;
  readonly text: string;
};

/** Asks before somebody goes to another page; when the browser is closed, it asks in its own words. */
export const AskBeforeLeaving = ({ isNeeded, title, text }: AskBeforeLeavingProps) => {
  const say = useMessages(dataMessages);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title={title}
      isOpen={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      confirm={say('leave')}
      onConfirm={() => leaving.proceed?.()}
      isDangerous
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
};
