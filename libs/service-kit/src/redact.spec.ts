import { describe, expect, it } from '@jest/globals';
import { redactSecrets } from './log.js';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl';

describe('redaction of log lines', () => {
  it.each([
    [
      'an authorization header at any depth',
      { a: { b: { req: { headers: { authorization: 'Basic dTpw' } } } } },
      'dTpw',
    ],
    [
      'a member in other letters',
      { Authorization: 'Basic dTpw', AppKey: 'k-123', 'X-Api-Key': 'k-456' },
      /dTpw|k-123|k-456/,
    ],
    ['cookies', { cookie: 'sid=abc', 'set-cookie': ['sid=def', 'x=ghi'] }, /abc|def|ghi/],
    ['passwords and secrets', { dbPassword: 'hunter2', clientSecret: 'hunter3', token: 'hunter4' }, /hunter/],
    ['a value with quotes in it', { password: 'a"b\\"hunter' }, 'hunter'],
    ['an API key anywhere in a text', { msg: 'key tsk_0a1b_s3cr3t_chk was refused' }, 's3cr3t'],
    ['a token anywhere in a text', { msg: `token ${jwt}, refused` }, 'c2lnbmF0dXJl'],
    ['a password in an address', { url: 'postgres://gateway:hunter2@127.0.0.1:5432/tessera' }, 'hunter2'],
  ])('hides %s', (_what, fields, secret) => {
    const line = redactSecrets(`${JSON.stringify(fields)}\n`);
    expect(line).not.toMatch(secret);
    expect(line).toContain('[redacted]');
    expect(() => JSON.parse(line)).not.toThrow();
  });

  it('leaves everything else unchanged', () => {
    const line = `${JSON.stringify({ level: 'info', requestId: 'r-1', url: 'nats://127.0.0.1:4222', tokens: 5, msg: 'eyJ is no token' })}\n`;
    expect(redactSecrets(line)).toBe(line);
  });
});
