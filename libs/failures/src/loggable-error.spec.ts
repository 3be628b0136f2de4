import { describe, expect, it } from '@jest/globals';
import { getStackFrames, LoggableMessageError, toLoggableError, toLoggableReason } from './loggable-error.js';

const secret = 'ada@example.com';

/** As pg makes them. */
class DatabaseError extends Error {}
const databaseError = (code: string, message: string): Error =>
  Object.assign(new DatabaseError(message), {
    ...{ name: 'error', severity: 'ERROR', code, constraint: 'person_pkey', table: 'person' },
    ...{ detail: `Key (mail)=(${secret}) already exists.`, where: secret, internalQuery: secret },
  });

describe('the logged form of an error', () => {
  it('has its type and where it was thrown, but no message that may quote callers', () => {
    const told = toLoggableError(new TypeError(`no person ${secret}\n    at ${secret}`));
    expect(told).toMatchObject({ type: 'TypeError', stack: expect.stringContaining('loggable-error.spec') });
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(told).not.toHaveProperty('message');
  });

  it('includes the SQLSTATE, the constraint and messages about the schema from PostgreSQL', () => {
    const text = 'duplicate key value violates unique constraint "person_pkey"';
    const told = toLoggableError(databaseError('23505', text));
    expect(told).toMatchObject({ type: 'DatabaseError', code: '23505', message: text, constraint: 'person_pkey' });
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it.each([
    ['22P02', `invalid input syntax for type integer: "${secret}"`],
    ['P0001', `refused ${secret}`],
    ['XX000', `cache lookup failed for ${secret}`],
  ])('excludes the message of the SQLSTATE %s, which quotes values', (code, message) => {
    const told = toLoggableError(databaseError(code, message));
    expect(told).toMatchObject({ code });
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(toLoggableReason(databaseError(code, message))).toBe(`DatabaseError ${code}`);
  });

  it('includes the messages of sockets and of the pool, which operators need', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
      ...{ code: 'ECONNREFUSED', syscall: 'connect' },
    });
    expect(toLoggableReason(refused)).toBe('connect ECONNREFUSED 127.0.0.1:5432');
    expect(toLoggableReason(new Error('timeout exceeded when trying to connect'))).toBe(
      'timeout exceeded when trying to connect',
    );
  });

  it('includes the message of a LoggableMessageError', () => {
    expect(toLoggableReason(new LoggableMessageError('no stream takes the event'))).toBe('no stream takes the event');
  });

  it('includes the same parts of its cause', () => {
    const told = toLoggableError(new Error(secret, { cause: databaseError('22001', secret) }));
    expect(told.cause).toMatchObject({ type: 'DatabaseError', code: '22001' });
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it('has only the type of a thrown value that is no error', () => {
    expect(toLoggableError(secret)).toEqual({ type: 'string' });
    expect(toLoggableReason({ secret })).toBe('object');
  });

  it('excludes an error name that was made from a value', () => {
    expect(toLoggableError(Object.assign(new Error(), { name: secret })).type).toBe('Error');
  });

  it('includes only the lines of a stack that name a location', () => {
    expect(
      getStackFrames(`Error: one\n  two\n    at ${secret}\n    at run (file:///a/b.js:1:2)\n    at node:internal:3:4`),
    ).toBe('at run (file:///a/b.js:1:2)\nat node:internal:3:4');
  });
});
