import type { Area } from '../shell/open-areas.js';

export const area: Area = {
  path: '/ask',
  order: 30,
  icon: 'talk',
  scopes: ['agents:converse'],
  title: { en: 'Ask', de: 'Fragen', es: 'Preguntar' },
  purpose: {
    en: 'Ask an agent about your data and your processes, and see how it found the answer.',
    de: 'Fragen Sie einen Agenten nach Ihren Daten und Prozessen, und sehen Sie, wie er zur Antwort kommt.',
    es: 'Pregunte a un agente por sus datos y procesos, y vea cómo llega a la respuesta.',
  },
};
