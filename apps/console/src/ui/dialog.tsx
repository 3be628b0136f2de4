/** Dialogs over the page. The page behind them stays as it is. */
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { Button, IconButton } from './button.js';
import { classNames } from './class-names.js';
import styles from './dialog.module.css';

export type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  /** Absent: it can only be answered, not left. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
  /** Buttons at its end, the one that does it last. */
  readonly actions?: ReactNode;
  readonly size?: 'small' | 'large';
};

export const Dialog = ({ title, isOpen, onClose, children, actions, size = 'small' }: DialogProps) => {
  const say = useMessages(uiMessages);
  const changeOpen = (opens: boolean): void => {
    if (!opens) onClose?.();
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={changeOpen}
      isDismissable={false}
      isKeyboardDismissDisabled={onClose === undefined}
      className={styles['overlay'] ?? ''}
    >
      <Modal className={classNames(styles['modal'], styles[size])}>
        <AriaDialog className={styles['dialog'] ?? ''} role={onClose === undefined ? 'alertdialog' : 'dialog'}>
          <header className={styles['head']}>
            <Heading slot="title" level={2} className={styles['title'] ?? ''}>
              {title}
            </Heading>
            {onClose !== undefined && <IconButton label={say('close')} icon="close" onPress={onClose} />}
          </header>
          <div className={styles['body']}>{children}</div>
          {actions !== undefined && <footer className={styles['actions']}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
};

export type ConfirmDialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button says: the act, not "OK". */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly isDangerous?: boolean;
  readonly isPending?: boolean;
};

/** Asks before something is done that cannot be undone. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { confirm, onConfirm, isDangerous = false, isPending, onClose, ...rest } = props;
  const say = useMessages(uiMessages);
  const actions = (
    <>
      <Button onPress={onClose}>{say('cancel')}</Button>
      <Button variant={isDangerous ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
        {confirm}
      </Button>
    </>
  );
  return <Dialog {...rest} onClose={onClose} actions={actions} />;
};
