import { useMessages } from '../../language/language-provider.js';
import { sessionMessages } from '../../messages/session/catalogue.js';
import { administrationMessages } from '../../messages/administration/catalogue.js';
import { Badge } from '../../ui/badge.js';
import styles from './administration.module.css';

const isKnown = (scope: string): scope is keyof typeof sessionMessages.en => scope in sessionMessages.en;

/** What may be done, in words where the console has some for it. */
export const ScopeBadges = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const say = useMessages(administrationMessages);
  const sayScope = useMessages(sessionMessages);
  if (scopes.length === 0) return say('nothing');
  return (
    <span className={styles['badges']}>
      {scopes.map((scope) => (
        <Badge key={scope} tone="accent">
          {isKnown(scope) ? sayScope(scope) : <bdi>{scope}</bdi>}
        </Badge>
      ))}
    </span>
  );
};
