import { useNavigate } from '@tanstack/react-router';
import { languageNames, languages } from '../../language/languages.js';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { themes } from '../../language/preferences.js';
import { shellMessages } from '../../messages/shell/catalogue.js';
import { Icon } from '../../ui/icon.js';
import { MenuButton } from '../../ui/menu.js';
import { nameOf, useMe } from '../session/me.js';
import { useSignOut } from '../session/sign-out.js';
import styles from './app-shell.module.css';

/** Who is signed in; language, theme, and the way out. */
export const AccountMenu = () => {
  const say = useMessages(shellMessages);
  const me = useMe();
  const { language, theme, choose } = usePreferences();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const name = nameOf(me);
  return (
    <MenuButton
      label={say('account', { name })}
      groups={[
        {
          ...{ id: 'language', title: say('language'), isTitleShown: true, selected: language },
          entries: languages.map((id) => ({ id, label: languageNames[id], onAction: () => choose({ language: id }) })),
        },
        {
          ...{ id: 'theme', title: say('theme'), isTitleShown: true, selected: theme },
          entries: themes.map((id) => ({ id, label: say(id), onAction: () => choose({ theme: id }) })),
        },
        {
          ...{ id: 'account', title: say('account', { name }) },
          entries: [
            { id: 'sessions', label: say('sessions'), onAction: () => void navigate({ to: '/sessions' }) },
            { id: 'signOut', label: say('signOut'), onAction: () => signOut.mutate() },
          ],
        },
      ]}
    >
      <Icon name="person" />
      <span className={styles['person']}>
        <bdi className={styles['name']}>{name}</bdi>
        <span className={styles['team']}>{say('team', { team: me.team })}</span>
      </span>
      <Icon name="chevron-down" />
    </MenuButton>
  );
};
