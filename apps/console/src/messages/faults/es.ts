import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const es: Translation<typeof en> = {
  unreachable: 'No se puede acceder a la plataforma',
  unreachableDetail: 'No llegó ninguna respuesta. Compruebe la conexión; lo que ha escrito sigue aquí.',
  unreadable: 'No se entendió la respuesta',
  unreadableDetail: 'Respondió algo entre esta página y la plataforma (estado {status}).',
  bug: 'Esta página tiene un error',
  bugDetail: 'No se pudo mostrar. Vuelva a cargarla; si no sirve, comuníquelo con el texto de abajo.',
  refused: 'No es posible',
  reload: 'Volver a cargar la página',
  home: 'Ir a la página de inicio',
  notFound: 'Esta página no existe',
  notFoundDetail: 'La dirección no pertenece a esta consola. Quizá se cortó al copiarla.',
};
