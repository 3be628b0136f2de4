import type { Area } from '../shell/open-areas.js';

export const area: Area = {
  path: '/data',
  order: 50,
  icon: 'data',
  scopes: ['admin'],
  title: { en: 'Data', de: 'Daten', es: 'Datos' },
  purpose: {
    en: 'The tables of your team and the loads into them; knowledge models with drafts and versions.',
    de: 'Die Tabellen Ihres Teams und was in sie geladen wird; Wissensmodelle mit Entwürfen und Versionen.',
    es: 'Las tablas de su equipo y sus cargas; modelos de conocimiento con borradores y versiones.',
  },
};
