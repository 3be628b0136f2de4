/**
 * The licences that are allowed, and those of packages that do not state theirs in npm's form. Where a package offers
 * several licences, all are allowed or the choice is written here.
 */
export const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
];

/** By package and version: the licence of another version must be read again. */
const readByUs = {
  'json-schema@0.4.0': 'BSD-3-Clause',
  'limiter@1.1.5': 'MIT',
  'passport-strategy@1.0.0': 'MIT',
  'pause@0.0.1': 'MIT',
};

export const licenceOf = ({ id, licence }) => readByUs[id] ?? licence;
