import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const de: Translation<typeof en> = {
  cancel: 'Abbrechen',
  choose: 'Auswählen …',
  clear: 'Leeren',
  close: 'Schließen',
  copied: 'Kopiert',
  copy: 'Kopieren: {what}',
  loading: 'Wird geladen',
  messages: 'Meldungen',
  noEntries: 'Keine Einträge',
  noValue: 'Kein Wert',
  notCopied: 'Der Browser lässt diese Seite nicht in die Zwischenablage schreiben.',
  nothingFound: 'Nichts gefunden',
  open: 'Öffnen',
  requestId: 'Anfrage-Id',
  showAll: 'Alles zeigen',
  showLess: 'Weniger zeigen',
  target: 'Ziel {value}',
  time: 'Zeit',
  tryAgain: 'Erneut versuchen',
};
