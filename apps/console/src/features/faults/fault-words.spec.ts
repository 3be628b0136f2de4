import { describe, expect, it } from '@jest/globals';
import { CallError, type Refusal } from '../../api/failures.js';
import { fillMessage } from '../../language/fill-message.js';
import { faultsMessages } from '../../messages/faults/catalogue.js';
import { faultWords } from './fault-words.js';

const words = (error: unknown) =>
  faultWords(error, (name, ...[values]) => fillMessage('de', faultsMessages.de[name], values));

const refused: Refusal = {
  kind: 'refused',
  ...{ status: 400, code: 'X', title: 'Constraint violated', detail: 'Two faults.', requestId: 'r1' },
  next: 'Correct them.',
  faults: [
    { in: 'body', path: 'a.0', message: 'expected a number' },
    { in: 'query', path: '', message: 'unknown name', suggestion: 'pageSize' },
  ],
};

describe('what is said of', () => {
  it('a refusal are the words of the server, marked as English', () => {
    expect(words(new CallError(refused))).toEqual({
      ...{ title: 'Constraint violated', detail: 'Two faults.', next: 'Correct them.', requestId: 'r1', lang: 'en' },
      faults: [
        { place: 'body a.0', message: 'expected a number' },
        { place: 'query', message: 'unknown name (pageSize)' },
      ],
    });
  });

  it('a refusal without a title has one of the console', () => {
    expect(words(new CallError({ ...refused, title: '' })).title).toBe('Nicht möglich');
  });

  it('a platform that is away is that what was entered is kept', () => {
    expect(words(new CallError({ kind: 'unreachable' }))).toEqual({
      title: 'Die Plattform ist nicht erreichbar',
      detail: expect.stringContaining('Ihre Eingaben sind noch da'),
    });
  });

  it('an answer of something else is its status', () => {
    const { detail, requestId } = words(new CallError({ kind: 'unreadable', status: 502, requestId: 'r2' }));
    expect([detail, requestId]).toEqual([expect.stringContaining('502'), 'r2']);
  });

  it('a bug is what it said', () => {
    expect(words(new TypeError('x is undefined')).detail).toContain('TypeError: x is undefined');
    expect(words('broken').detail).toContain('broken');
  });
});
