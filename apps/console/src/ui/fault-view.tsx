/** Why something could not be shown or done, in the words of the failure, and a way on. */
import type { ReactNode } from 'react';
import { useMessages } from '../language/language-provider.js';
import { uiMessages } from '../messages/ui/catalogue.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import styles from './fault-view.module.css';
import { ForeignText } from './foreign-text.js';
import { Icon } from './icon.js';

export type FaultViewProps = {
  readonly title: string;
  /** Sentences of the server are English: `lang` says so. */
  readonly detail: string;
  readonly next?: string;
  readonly lang?: string;
  /** One line each: where, and what. */
  readonly faults?: readonly { readonly place: string; readonly message: string }[];
  /** By which the operators find it in their logs. */
  readonly requestId?: string;
  readonly onRetry?: () => void;
  /** Other ways on. */
  readonly actions?: ReactNode;
};

export const FaultView = (props: FaultViewProps) => {
  const { title, detail, next, lang, faults = [], requestId, onRetry, actions } = props;
  const say = useMessages(uiMessages);
  return (
    <div className={styles['fault']} role="alert">
      <p className={styles['title']}>
        <Icon name="warning" />
        <span lang={lang}>{title}</span>
      </p>
      {detail !== '' && (
        <p lang={lang}>
          <ForeignText text={detail} />
        </p>
      )}
      {faults.length > 0 && (
        <ul className={styles['faults']} lang={lang}>
          {faults.map(({ place, message }, at) => (
            <li key={at}>
              {place !== '' && (
                <code>
                  <bdi>{place}</bdi>
                </code>
              )}{' '}
              <ForeignText text={message} />
            </li>
          ))}
        </ul>
      )}
      {next !== undefined && (
        <p className={styles['next']} lang={lang}>
          {next}
        </p>
      )}
      {(onRetry !== undefined || actions !== undefined) && (
        <div className={styles['actions']}>
          {onRetry !== undefined && <Button onPress={onRetry}>{say('tryAgain')}</Button>}
          {actions}
        </div>
      )}
      {requestId !== undefined && (
        <p className={styles['request']}>
          {say('requestId')} <code>{requestId}</code> <CopyButton text={requestId} what={say('requestId')} />
        </p>
      )}
    </div>
  );
};
