import { describe, expect, it } from '@jest/globals';
import { findMisspeltSettings } from './configuration.js';

const names = ['MANAGEMENT_PORT', 'MANAGEMENT_HOST', 'JWT_JWKS_URL'];

describe('a setting that is misspelt', () => {
  it.each([
    ['MANAGEMENT_PROT', 'MANAGEMENT_PORT'],
    ['MANAGMENT_HOST', 'MANAGEMENT_HOST'],
    ['JWT_JWKS_URI', 'JWT_JWKS_URL'],
    ['Management_Port', 'MANAGEMENT_PORT'],
  ])('is reported: %s', (found, meant) => {
    expect(findMisspeltSettings(names, { [found]: 'x', PATH: '/bin' })).toEqual([{ found, meant }]);
  });

  it('is not reported when the setting itself is set, nor for foreign variables', () => {
    const environment = { MANAGEMENT_PORT: '9090', MANAGEMENT_PORTS: '1', MANAGEMENT_SERVICE_HOST: 'x', HOME: '/root' };
    expect(findMisspeltSettings(names, environment)).toEqual([]);
  });
});
