import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const de: Translation<typeof en> = {
  signIn: 'Anmelden',
  signInAgain: 'Erneut anmelden',
  signInAgainDetail:
    'Ihre Sitzung ist beendet. Nichts ist verloren: Nach der Anmeldung geht es an derselben Stelle weiter.',
  ways: 'Arten der Anmeldung',
  byPassword: 'Passwort',
  byKey: 'API-Schlüssel',
  team: 'Team',
  teamDescription: 'Seine Id, z. B. meridian.',
  user: 'Name',
  userDescription: 'Ihre Id im Team, z. B. anna.weber.',
  password: 'Passwort',
  key: 'API-Schlüssel',
  keyDescription: 'Die Sitzung darf, was der Schlüssel darf. Die Seite behält ihn nicht.',
  notValid: 'Das ist nicht gültig',
  notValidDetail: 'Name oder Passwort oder der Schlüssel ist nicht gültig. Groß- und Kleinschreibung zählt.',
  otherPerson: 'Als jemand anderes anmelden',
  otherWays: 'Andere Arten der Anmeldung',
  otherWaysBeside: 'Andere Arten der Anmeldung, in einem neuen Tab',
  required: 'Bitte ausfüllen.',
  scopeNames: 'Was Sie dürfen',
  'content:read': 'Inhalte lesen',
  'content:write': 'Inhalte schreiben',
  'tools:execute': 'Werkzeuge aufrufen',
  'agents:converse': 'Mit Agenten sprechen',
  'agents:execute': 'Werkzeuge von Agenten aufrufen',
  'knowledge-models:read': 'Kennzahlen und Daten lesen',
  admin: 'Das Team verwalten',
};
