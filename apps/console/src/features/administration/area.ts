import type { Area } from '../shell/open-areas.js';

export const area: Area = {
  path: '/administration',
  order: 60,
  icon: 'people',
  scopes: ['admin'],
  title: { en: 'Administration', de: 'Verwaltung', es: 'Administración' },
  purpose: {
    en: 'Members and roles, keys, limits and use, the log of who did what, and the state of the services.',
    de: 'Mitglieder und Rollen, Schlüssel, Limits und Nutzung, das Protokoll und der Zustand der Dienste.',
    es: 'Miembros y roles, claves, límites y uso, el registro de quién hizo qué y el estado de los servicios.',
  },
};
