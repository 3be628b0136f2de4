import type { Area } from '../shell/open-areas.js';

export const area: Area = {
  path: '/figures',
  order: 20,
  icon: 'chart',
  scopes: ['knowledge-models:read'],
  title: { en: 'Figures', de: 'Auswertungen', es: 'Análisis' },
  purpose: {
    en: 'Ask knowledge models for figures and the rows behind them, as charts, tables and for other programs.',
    de: 'Wissensmodelle nach Kennzahlen und den Zeilen dahinter fragen: als Diagramm, als Tabelle und für andere Programme.',
    es: 'Consulte en los modelos de conocimiento los indicadores y las filas que hay detrás: en gráficos, en tablas y para otros programas.',
  },
};
