import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const de: Translation<typeof en> = {
  unreachable: 'Die Plattform ist nicht erreichbar',
  unreachableDetail: 'Es kam keine Antwort. Prüfen Sie die Verbindung; Ihre Eingaben sind noch da.',
  unreadable: 'Die Antwort war nicht zu verstehen',
  unreadableDetail: 'Etwas zwischen dieser Seite und der Plattform hat geantwortet (Status {status}).',
  bug: 'Diese Seite hat einen Fehler',
  bugDetail:
    'Sie konnte nicht gezeigt werden. Laden Sie sie neu; hilft das nicht, melden Sie es mit dem Wortlaut darunter.',
  refused: 'Nicht möglich',
  reload: 'Seite neu laden',
  home: 'Zur Startseite',
  notFound: 'Diese Seite gibt es nicht',
  notFoundDetail: 'Die Adresse gehört nicht zu dieser Konsole. Vielleicht wurde sie beim Kopieren abgeschnitten.',
};
