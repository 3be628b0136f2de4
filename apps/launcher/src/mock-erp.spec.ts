import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type MockErp, startMockErp } from './mock-erp.js';

let erp: MockErp;
beforeEach(async () => {
  erp = await startMockErp('the-token');
});
afterEach(() => erp.stop());

const send = async (path: string, { token = 'the-token', ...init }: RequestInit & { readonly token?: string } = {}) => {
  const answer = await fetch(`${erp.address}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
  return [answer.status, await answer.json()] as const;
};
const block = (invoiceNo: string, reason: unknown) =>
  send(`/invoices/${invoiceNo}/block`, { method: 'POST', body: JSON.stringify({ reason }) });

describe('the mock ERP', () => {
  it('listens on the loopback interface', () => {
    expect(erp.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('blocks an invoice once and reports it as blocked', async () => {
    expect(await send('/invoices/5100000001')).toMatchObject([200, { invoiceNo: '5100000001', status: 'released' }]);
    const blocked = { invoiceNo: '5100000001', status: 'blocked', reason: 'paid twice' };
    expect(await block('5100000001', 'paid twice')).toMatchObject([200, blocked]);
    expect(await block('5100000001', 'another')).toMatchObject([200, blocked]);
    expect(await send('/invoices/5100000001')).toMatchObject([200, blocked]);
    expect(await send('/invoices/5100000002')).toMatchObject([200, { status: 'released' }]);
  });

  it.each(['', 'the-toke', 'the-token2'])('rejects the token "%s"', async (token) => {
    expect(await send('/invoices/5100000001', { token })).toMatchObject([401, {}]);
  });

  it.each([
    '/',
    '/invoices',
    '/invoices/1',
    '/invoices/5100000001/pay',
    '/invoices/5100000001?x=1',
    '/invoices/4100000001',
  ])('answers 404 at %s', async (path) => {
    expect(await send(path)).toMatchObject([404, {}]);
  });

  it('rejects other methods, and a block request without a reason', async () => {
    expect(await send('/invoices/5100000001', { method: 'DELETE' })).toMatchObject([405, {}]);
    expect(await send('/invoices/5100000001/block')).toMatchObject([405, {}]);
    for (const reason of ['', 5, undefined, 'x'.repeat(20_000)])
      expect(await block('5100000001', reason)).toMatchObject([400, {}]);
    expect(await send('/invoices/5100000001')).toMatchObject([200, { status: 'released' }]);
  });
});
