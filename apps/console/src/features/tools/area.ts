import type { Area } from '../shell/open-areas.js';

export const area: Area = {
  path: '/tools',
  order: 40,
  icon: 'tool',
  scopes: ['tools:execute'],
  title: { en: 'Tools', de: 'Werkzeuge', es: 'Herramientas' },
  purpose: {
    en: 'Call what assistants and agents call, see the result, and connect a client of your own.',
    de: 'Aufrufen, was Assistenten und Agenten aufrufen, das Ergebnis sehen und einen eigenen Client verbinden.',
    es: 'Llame a lo que llaman los asistentes y agentes, vea el resultado y conecte un cliente propio.',
  },
};
