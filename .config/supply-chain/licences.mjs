/**
 * The licences that what is shipped may have, and what packages say that name theirs in no form that npm knows.
 * Refuses: to choose; where a package offers several, each of them is on the list, or the choice is written down here.
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

/** By package and version: with another version somebody reads its text again. */
const readByUs = {
  'json-schema@0.4.0': 'BSD-3-Clause',
  'limiter@1.1.5': 'MIT',
  'passport-strategy@1.0.0': 'MIT',
  'pause@0.0.1': 'MIT',
};

export const licenceOf = ({ id, licence }) => readByUs[id] ?? licence;
