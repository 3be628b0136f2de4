import { useSyncExternalStore } from 'react';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { IconButton } from './button.js';
import { classNames } from './class-names.js';
import { shownToasts } from './toast-queue.js';
import styles from './toast.module.css';

/** Where toasts are shown; once, in the shell. */
export const ToastRegion = () => {
  const toasts = useSyncExternalStore(shownToasts.subscribe, shownToasts.shown);
  const say = useMessages(uiMessages);
  return (
    <section className={styles['region']} aria-label={say('messages')} aria-live="polite">
      {toasts.map(({ id, tone, text }) => (
        <div
          key={id}
          className={classNames(styles['toast'], styles[tone])}
          role={tone === 'danger' ? 'alert' : 'status'}
        >
          <span className={styles['text']}>{text}</span>
          <IconButton label={say('close')} icon="close" onPress={() => shownToasts.close(id)} />
        </div>
      ))}
    </section>
  );
};
