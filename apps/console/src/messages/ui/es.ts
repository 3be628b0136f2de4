import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const es: Translation<typeof en> = {
  cancel: 'Cancelar',
  choose: 'Elegir…',
  clear: 'Vaciar',
  close: 'Cerrar',
  copied: 'Copiado',
  copy: 'Copiar: {what}',
  loading: 'Cargando',
  messages: 'Mensajes',
  noEntries: 'No hay entradas',
  noValue: 'Sin valor',
  notCopied: 'El navegador no permite que esta página use el portapapeles.',
  nothingFound: 'No se encontró nada',
  open: 'Abrir',
  requestId: 'Id de la solicitud',
  showAll: 'Mostrar todo',
  showLess: 'Mostrar menos',
  target: 'Objetivo {value}',
  time: 'Fecha',
  tryAgain: 'Reintentar',
};
