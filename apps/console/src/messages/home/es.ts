import type { Translation } from '../../language/catalogue.js';
import type { en } from './en.js';

export const es: Translation<typeof en> = {
  title: 'Le damos la bienvenida, {name}',
  lead: 'Lo que puede ver y hacer aquí, y cuánto de ello en esta hora.',
  you: 'Usted',
  name: 'Nombre',
  sessionEnds: 'La sesión termina a más tardar',
  idleEnds: 'Sin solicitudes',
  team: 'Equipo',
  otherTeams: 'Otros equipos',
  furtherScopes: 'Otros permisos',
  attributes: 'Atributos',
  hour: 'Solicitudes en esta hora',
  left: { one: 'queda {count} solicitud de {hourly}', other: 'quedan {count} solicitudes de {hourly}' },
  until: 'La hora termina a las {time}.',
  areas: 'Áreas',
  noRole: 'Todavía no tiene ningún rol.',
  noRoleText: 'Los roles los da quien administra su equipo; entonces verá más aquí.',
};
