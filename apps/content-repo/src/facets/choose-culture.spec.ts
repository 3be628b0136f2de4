import { describe, expect, it } from '@jest/globals';
import { chooseDisplayName, parseAcceptLanguage } from './choose-culture.js';

const names = { 1033: 'Process', 1031: 'Prozess', 3082: 'Proceso' };
const chosen = (acceptLanguage: string | undefined, from: Record<string, string> = names): string =>
  chooseDisplayName(from, acceptLanguage, 1033, 'processes');

describe('the display name for an Accept-Language header', () => {
  it.each([
    [undefined, 'Process'],
    ['', 'Process'],
    ['de', 'Prozess'],
    ['de-AT', 'Prozess'],
    ['de-CH;q=0.3, es;q=0.7', 'Proceso'],
    ['fr, es-MX;q=0.5', 'Proceso'],
    ['fr', 'Process'],
    ['*', 'Process'],
    ['de;q=0, es', 'Proceso'],
    ['1031', 'Prozess'],
    ['EN-gb', 'Process'],
    ['tlh;q=wrong,,;;=,de;q=', 'Process'],
    ['__proto__, constructor', 'Process'],
  ])('of %j is %s', (acceptLanguage, name) => expect(chosen(acceptLanguage)).toBe(name));

  it('falls back to the default culture, then any culture, then the technical name', () => {
    expect(chosen('fr', { 1031: 'Prozess' })).toBe('Prozess');
    expect(chosen('fr', {})).toBe('processes');
  });

  it('follows the preference weights, and takes equal ones in their order', () => {
    expect(parseAcceptLanguage('es;q=0.5, de, en;q=0.5')).toEqual([1031, 3082, 1033]);
  });
});
