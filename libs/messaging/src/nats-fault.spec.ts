import { describe, expect, it } from '@jest/globals';
import { errors } from '@nats-io/transport-node';
import { classifyNatsError } from './nats-link.js';

const untrusted = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });

describe('a failed attempt to connect', () => {
  it.each([
    ['user', new errors.AuthorizationError('Authorization Violation')],
    ['user', new errors.AuthorizationError('Account Authentication Expired')],
    ['certificate', untrusted],
    ['certificate', new errors.ConnectionError('no', { cause: untrusted })],
    ['encryption', new errors.ConnectionError("server does not support 'tls'")],
  ] as const)('is recognised as a wrong setting: %s (%#)', (fault, error) => {
    expect(classifyNatsError(error)).toBe(fault);
  });

  it.each([
    new errors.AuthorizationError('Authentication Timeout'),
    new errors.ConnectionError('connection refused'),
    new errors.TimeoutError(),
    new Error('getaddrinfo ENOTFOUND nats'),
  ])('is retried: %p', (error) => {
    expect(classifyNatsError(error)).toBeUndefined();
  });
});
