/** The pages of the console of which pictures are kept. Whoever adds a page adds a line. */
import type { PersonName } from './console-visit.js';

export type PicturedPage = {
  /** Of the file: small letters and `-`, the area first. */
  readonly name: string;
  readonly person: PersonName;
  /** From the root of the console; what is named in it is of the demo. */
  readonly path: string;
};

/** The process that has three versions. */
const invoiceVerification = '/processes/meridian/p2p/processes/a2aa78b1-d83a-8151-b082-396aa5ed6600';

export const picturedPages: readonly PicturedPage[] = [
  { name: 'home', person: 'analyst', path: '/' },
  { name: 'processes', person: 'author', path: '/processes' },
  { name: 'processes-house', person: 'author', path: '/processes/meridian/p2p' },
  { name: 'processes-element', person: 'author', path: invoiceVerification },
  { name: 'processes-bin', person: 'admin', path: '/processes/bin' },
  { name: 'figures', person: 'analyst', path: '/figures' },
  {
    name: 'figures-model',
    person: 'analyst',
    path: '/figures/p2p.base-km?kpis=MAVERICK_RATE&fields=PURCHASE_ORDER.PLANT',
  },
  { name: 'ask', person: 'analyst', path: '/ask' },
  { name: 'tools', person: 'analyst', path: '/tools' },
  { name: 'tools-asset', person: 'analyst', path: '/tools/p2p-tools' },
  { name: 'data', person: 'admin', path: '/data' },
  { name: 'data-load', person: 'admin', path: '/data/load' },
  { name: 'data-table', person: 'admin', path: '/data/tables/p2p/po_item' },
  { name: 'data-model', person: 'admin', path: '/data/models/p2p.base-km' },
  { name: 'sessions', person: 'admin', path: '/sessions' },
  { name: 'administration-members', person: 'admin', path: '/administration/members' },
  { name: 'administration-member', person: 'admin', path: '/administration/members/anton.berg' },
  { name: 'administration-roles', person: 'admin', path: '/administration/roles' },
  { name: 'administration-keys', person: 'admin', path: '/administration/keys' },
  { name: 'administration-make-key', person: 'admin', path: '/administration/add-key' },
  { name: 'administration-limits', person: 'admin', path: '/administration/limits' },
  { name: 'administration-audit', person: 'admin', path: '/administration/audit' },
  { name: 'administration-services', person: 'admin', path: '/administration/services' },
];
