import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const es: Translation<typeof en> = {
  title: 'Mis sesiones',
  lead: 'Los navegadores en los que ha iniciado sesión. Termine las sesiones que no conozca o que ya no necesite.',
  current: 'Este navegador',
  unknown: 'Navegador desconocido',
  lastSeen: 'Último uso',
  created: 'Inicio de sesión',
  ends: 'Termina a más tardar',
  end: 'Terminar esta sesión',
  signOut: 'Cerrar sesión',
  endOthers: 'Terminar todas las demás',
  endOthersText: {
    one: '{count} sesión termina de inmediato. Quien la use tendrá que volver a iniciar sesión; lo que no haya guardado seguirá en su página.',
    other:
      '{count} sesiones terminan de inmediato. Quien las use tendrá que volver a iniciar sesión; lo que no haya guardado seguirá en su página.',
  },
  ended: { one: '{count} sesión terminada', other: '{count} sesiones terminadas' },
  noOthers: 'No ha iniciado sesión en ningún otro sitio.',

  clients: 'Clientes que actúan por usted',
  clientsText:
    'Programas que conectó iniciando sesión. Pueden hacer como máximo lo que usted permitió, y nunca más que usted.',
  noClients: 'Ningún cliente actúa por usted',
  noClientsText: 'Puede conectar uno en las herramientas, en Conectar un cliente.',
  resource: 'Puede usar',
  scopes: 'Permisos concedidos',
  allowed: 'Permitido el',
  takeBack: 'Retirar el permiso',
  takeBackText: '{name} pierde el acceso de inmediato y tendrá que volver a preguntarle.',
};
