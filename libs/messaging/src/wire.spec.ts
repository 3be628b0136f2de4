import { describe, expect, it } from '@jest/globals';
import { headers, MsgHdrsImpl } from '@nats-io/transport-node';
import type { CallFrame } from '@tessera/contracts';
import {
  decodeFailure,
  decodeFrame,
  decodeReplyHeaders,
  decodeReplyStatus,
  encodeFrame,
  encodeText,
  headerNames,
} from './wire.js';

const sent: CallFrame = {
  caller: {
    team: 'meridian',
    subject: 'Jürgen "the\r\nfirst"',
    scopes: ['content:read', 'admin'],
    attributes: { unit: ['北京', 'Köln'] },
  },
  requestId: 'request-1',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  deadlineMs: 1_790_000_000_000,
  publicUrl: 'https://tessera.example:8443',
};

/** What the other side reads after the bytes went over the wire. */
const overTheWire = (frame: CallFrame) => {
  const encoded: unknown = encodeFrame(frame, frame.deadlineMs, frame.traceparent);
  if (!(encoded instanceof MsgHdrsImpl)) throw new Error('unexpected headers');
  return decodeFrame(MsgHdrsImpl.decode(encoded.encode()));
};
const recordOf = (frame: CallFrame): Record<string, string[]> =>
  Object.fromEntries(encodeFrame(frame, frame.deadlineMs, frame.traceparent));

const without = (name: string) => {
  const record = recordOf(sent);
  delete record[name];
  return decodeFrame(MsgHdrsImpl.fromRecord(record));
};

const withCaller = (text: string) => {
  const received = headers();
  for (const [name, [value = '']] of encodeFrame(sent, sent.deadlineMs, undefined)) received.append(name, value);
  received.set(headerNames.caller, text);
  return decodeFrame(received);
};

describe('the frame of a call', () => {
  it('arrives unchanged with any characters', () => {
    expect(overTheWire(sent)).toEqual(sent);
  });

  it('has no trace context when none was sent or when it is malformed', () => {
    const { traceparent: _traceparent, ...plain } = sent;
    expect(overTheWire(plain)).toEqual(plain);
    expect(overTheWire({ ...plain, traceparent: '00-1-2-3' })).toEqual(plain);
  });

  it('carries the deadline of the call, not that of the frame of the caller', () => {
    expect(decodeFrame(encodeFrame(sent, 17, undefined))?.deadlineMs).toBe(17);
  });

  it.each([headerNames.caller, headerNames.requestId, headerNames.deadline, headerNames.publicUrl])(
    'is rejected without %s',
    (name) => {
      expect(without(name)).toBeUndefined();
    },
  );

  it('is rejected without headers', () => {
    expect(decodeFrame(undefined)).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '"meridian"'],
    ['a list', '[]'],
    ['no team', '{"subject":"s","scopes":[]}'],
    ['an empty team', '{"team":"","subject":"s","scopes":[]}'],
    ['no subject', '{"team":"t","scopes":[]}'],
    ['scopes that are no list', '{"team":"t","subject":"s","scopes":"admin"}'],
  ])('is rejected when the caller is %s', (_what, text) => {
    expect(withCaller(text)).toBeUndefined();
  });

  it('keeps further scopes separate and drops attributes that are not plain values', () => {
    const text = '{"team":"t","subject":"s","scopes":["admin"],"furtherScopes":["finance:read",7,"two words"],';
    expect(withCaller(`${text}"attributes":{"codes":["1",2],"deep":{"a":1}}}`)?.caller).toMatchObject({
      scopes: ['admin'],
      furtherScopes: ['finance:read'],
      attributes: { codes: ['1', 2] },
    });
    expect(withCaller(`${text}"attributes":{"deep":{"a":1}}}`)?.caller).not.toHaveProperty('attributes');
  });

  it('drops unknown scopes of operations', () => {
    expect(withCaller('{"team":"t","subject":"s","scopes":["admin","root",7]}')?.caller.scopes).toEqual(['admin']);
  });

  it('shares one frozen caller between requests with the same text', () => {
    const first = overTheWire(sent)?.caller;
    expect(overTheWire(sent)?.caller).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
    expect(Object.isFrozen(first?.scopes)).toBe(true);
  });

  it('caches decoded callers, and drops the oldest beyond the limit', () => {
    const first = withCaller('{"team":"oldest","subject":"s","scopes":[]}')?.caller;
    for (let count = 0; count < 2100; count++) withCaller(`{"team":"team-${count}","subject":"s","scopes":[]}`);
    const again = withCaller('{"team":"oldest","subject":"s","scopes":[]}')?.caller;
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  it('refuses line breaks that would add headers', () => {
    expect(() => encodeFrame({ ...sent, requestId: 'a\r\nTessera-Caller: {}' }, 1, undefined)).toThrow();
  });
});

describe('a failure on the wire', () => {
  const decode = (value: unknown) => decodeFailure(encodeText(JSON.stringify(value)));

  it('arrives with its faults and its waiting time', () => {
    const failure = {
      code: 'GENERAL_CONSTRAINT_VIOLATION',
      detail: 'The request does not fit.',
      faults: [{ in: 'query', path: 'a.0', message: 'too small', rule: 'minimum', position: 4 }],
      retryAfterSeconds: 3,
    };
    expect(decode(failure)).toEqual(failure);
  });

  it('drops invalid faults', () => {
    expect(decode({ code: 'GENERAL_CONFLICT', detail: 'd', faults: [{ in: 'query' }, 7] })).toEqual({
      code: 'GENERAL_CONFLICT',
      detail: 'd',
      faults: [],
    });
  });

  it.each([[{ code: 'NOT_IN_THE_CATALOGUE', detail: 'd' }], [{ code: 'GENERAL_CONFLICT' }], [[]], ['text'], [null]])(
    'is decoded as an internal error when it is %j',
    (value) => {
      expect(decode(value)).toMatchObject({ code: 'ADMIN_FATAL_ERROR' });
    },
  );
});

describe('the status of a reply', () => {
  it('is accepted only as a final HTTP status', () => {
    expect(['202', '304', '404', '599'].map(decodeReplyStatus)).toEqual([202, 304, 404, 599]);
    for (const text of ['', '100', '199', '600', '99', '2000', '304 ', '4e2', '-20'])
      expect(decodeReplyStatus(text)).toBeUndefined();
  });
});

describe('headers of a reply', () => {
  it('keep text values and drop the rest', () => {
    expect(decodeReplyHeaders('{"etag":"x","age":7}')).toEqual({ etag: 'x' });
    expect(decodeReplyHeaders('')).toEqual({});
    expect(decodeReplyHeaders('{broken')).toEqual({});
  });
});
