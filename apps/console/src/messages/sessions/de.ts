import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const de: Translation<typeof en> = {
  title: 'Meine Sitzungen',
  lead: 'Die Browser, in denen Sie angemeldet sind. Beenden Sie, was Sie nicht kennen oder nicht mehr brauchen.',
  current: 'Dieser Browser',
  unknown: 'Unbekannter Browser',
  lastSeen: 'Zuletzt benutzt',
  created: 'Angemeldet',
  ends: 'Endet spätestens',
  end: 'Sitzung beenden',
  signOut: 'Abmelden',
  endOthers: 'Alle anderen beenden',
  endOthersText: {
    one: '{count} Sitzung endet sofort. Wer sie benutzt, muss sich neu anmelden; was dort nicht gespeichert ist, bleibt auf der Seite stehen.',
    other:
      '{count} Sitzungen enden sofort. Wer sie benutzt, muss sich neu anmelden; was dort nicht gespeichert ist, bleibt auf der Seite stehen.',
  },
  ended: { one: '{count} Sitzung beendet', other: '{count} Sitzungen beendet' },
  noOthers: 'Sie sind nirgends sonst angemeldet.',

  clients: 'Clients, die für Sie handeln',
  clientsText:
    'Programme, die Sie durch Anmelden verbunden haben. Sie dürfen höchstens, was Sie erlaubt haben, und nie mehr als Sie selbst.',
  noClients: 'Kein Client handelt für Sie',
  noClientsText: 'Verbinden können Sie einen bei den Werkzeugen unter Client verbinden.',
  resource: 'Darf benutzen',
  scopes: 'Erlaubte Rechte',
  allowed: 'Erlaubt am',
  takeBack: 'Erlaubnis zurücknehmen',
  takeBackText: '{name} verliert sofort den Zugang und muss Sie neu fragen.',
};
