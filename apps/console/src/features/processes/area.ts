import type { Area } from '../shell/open-areas.js';

export const area: Area = {
  path: '/processes',
  order: 10,
  icon: 'tree',
  // Administrators without content have the bin.
  scopes: ['content:read', 'admin'],
  title: { en: 'Processes', de: 'Prozesse', es: 'Procesos' },
  purpose: {
    en: 'The process house with its roles, risks, systems and documents, now and at any moment before.',
    de: 'Das Prozesshaus mit Rollen, Risiken, Systemen und Dokumenten, jetzt und zu jedem früheren Zeitpunkt.',
    es: 'El mapa de procesos con sus roles, riesgos, sistemas y documentos, ahora y en cualquier momento anterior.',
  },
};
