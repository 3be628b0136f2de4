import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const de: Translation<typeof en> = {
  title: 'Willkommen, {name}',
  lead: 'Was Sie hier sehen und tun dürfen und wie viel davon in dieser Stunde.',
  you: 'Sie',
  name: 'Name',
  sessionEnds: 'Sitzung endet spätestens',
  idleEnds: 'Ohne Anfrage',
  team: 'Team',
  otherTeams: 'Weitere Teams',
  furtherScopes: 'Weitere Rechte',
  attributes: 'Attribute',
  hour: 'Anfragen in dieser Stunde',
  left: { one: '{count} Anfrage von {hourly} übrig', other: '{count} Anfragen von {hourly} übrig' },
  until: 'Die Stunde endet um {time}.',
  areas: 'Bereiche',
  noRole: 'Sie haben noch keine Rolle.',
  noRoleText: 'Rollen gibt Ihnen, wer Ihr Team verwaltet; dann sehen Sie hier mehr.',
};
