import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const es: Translation<typeof en> = {
  skip: 'Ir al contenido',
  navigation: 'Áreas',
  home: 'Inicio',
  account: 'Cuenta de {name}',
  team: 'Equipo {team}',
  language: 'Idioma',
  theme: 'Apariencia',
  system: 'Como el sistema',
  light: 'Clara',
  dark: 'Oscura',
  reference: 'Referencia de la API',
  sessions: 'Mis sesiones',
  signOut: 'Cerrar sesión',
  openNavigation: 'Mostrar las áreas',
  closeNavigation: 'Ocultar las áreas',
};
