/** What `Accept` makes of an answer. */
import { describe, expect, it } from '@jest/globals';
import { chooseShape } from './choose-shape.js';

describe('chooseShape', () => {
  it.each([
    [undefined, 'either'],
    ['', 'either'],
    ['*/*', 'either'],
    ['application/json, text/event-stream', 'either'],
    ['text/event-stream,application/json;q=0.9', 'either'],
    ['text/*, application/*', 'either'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['*/*, text/event-stream;q=0', 'json'],
    ['text/event-stream', 'events'],
    ['TEXT/Event-Stream', 'events'],
    ['*/*, application/json;q=0', 'events'],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['nonsense', undefined],
  ])('takes %j for %j', (accept, shape) => {
    expect(chooseShape(accept)).toBe(shape);
  });
});
