import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const de: Translation<typeof en> = {
  skip: 'Zum Inhalt springen',
  navigation: 'Bereiche',
  home: 'Start',
  account: 'Konto von {name}',
  team: 'Team {team}',
  language: 'Sprache',
  theme: 'Darstellung',
  system: 'Wie das System',
  light: 'Hell',
  dark: 'Dunkel',
  reference: 'API-Referenz',
  sessions: 'Meine Sitzungen',
  signOut: 'Abmelden',
  openNavigation: 'Bereiche zeigen',
  closeNavigation: 'Bereiche verbergen',
};
