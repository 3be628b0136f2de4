import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { gzipStream, gzipBuffer, isCompressible, acceptsGzip } from './send-reply.js';

describe('gzip', () => {
  it.each(['gzip', 'GZip', 'deflate, gzip;q=0.1', 'x-gzip', '*', '*;q=0.5, identity;q=0.5', 'gzip ; q=1.0', 'br,*'])(
    'is accepted by "%s"',
    (accepted) => {
      expect(acceptsGzip(accepted)).toBe(true);
    },
  );

  it.each([
    ...[undefined, '', 'identity', 'br, deflate', 'gzip;q=0', 'gzip;q=0, *', '*;q=0', 'identity;q=0', 'gzip;q=x'],
    ...['identity, gzip;q=0.5', 'gzipped', ',;q'],
  ])('is not accepted by "%s"', (accepted) => {
    expect(acceptsGzip(accepted)).toBe(false);
  });

  it.each([
    'application/json',
    'application/json;odata.metadata=minimal',
    'application/atom+xml',
    'text/csv',
    'Text/HTML',
  ])('applies to %s', (contentType) => {
    expect(isCompressible(contentType, [], Buffer.alloc(1024))).toBe(true);
  });

  it('does not apply to small bodies, bodies with an ETag, binary types or events', () => {
    const big = Buffer.alloc(1024);
    expect(isCompressible('application/json', [], Buffer.alloc(1023))).toBe(false);
    expect(isCompressible('application/json', ['etag', '"1"'], big)).toBe(false);
    expect(isCompressible('application/octet-stream', [], big)).toBe(false);
    expect(isCompressible('text/event-stream', [], big)).toBe(false);
  });

  it('compresses whole answers without loss', async () => {
    const body = Buffer.from('{"CITY":"Rome"}'.repeat(200));
    const compressed = await gzipBuffer(body);
    expect(compressed.byteLength).toBeLessThan(body.byteLength / 10);
    expect(gunzipSync(compressed)).toEqual(body);
  });
});

/** Nothing can make it smaller. */
const piece = randomBytes(64 * 1024);

/** Pieces without an end, and what became of them. */
const endless = (breaksAfter = Infinity) => {
  const told = { produced: 0, left: 0 };
  const pieces = (async function* () {
    try {
      for (; told.produced < breaksAfter; told.produced++) yield piece;
      throw new Error('the rows broke off');
    } finally {
      told.left++;
    }
  })();
  return { told, pieces };
};

describe('gzip in pieces', () => {
  it('compresses without loss', async () => {
    const compressed: Uint8Array[] = [];
    for await (const each of gzipStream(
      (async function* () {
        for (let sent = 0; sent < 20; sent++) yield piece;
      })(),
    ))
      compressed.push(each);
    const whole = gunzipSync(Buffer.concat(compressed));
    expect(whole.equals(Buffer.concat(Array.from({ length: 20 }, () => piece)))).toBe(true);
  });

  it('reads no more than its reader consumes and closes its source when the reader leaves', async () => {
    const { told, pieces } = endless();
    for await (const each of gzipStream(pieces)) {
      expect(each.byteLength).toBeGreaterThan(0);
      break;
    }
    await waitUntil(() => told.left === 1);
    // Those that fill the buffers on the way, and no more.
    expect(told.produced).toBeLessThan(20);
  });

  it('fails when its source fails', async () => {
    const { told, pieces } = endless(3);
    const read = async () => {
      for await (const each of gzipStream(pieces)) expect(each.byteLength).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow('the rows broke off');
    expect(told.left).toBe(1);
  });
});
