import { describe, expect, it } from '@jest/globals';
import type { CallFrame, Caller } from '@tessera/contracts';
import { listTools } from '@tessera/contracts/tool-gateway';
import { fail, succeed } from '@tessera/failures';
import { createContext } from '../testing/test-service.js';
import { createTestToolGateway } from '../testing/test-tool-gateway.js';
import { ToolListCache } from './listed-tools.js';

const open = () => {
  const services = createTestToolGateway();
  let nowMs = 0;
  const listed = new ToolListCache(services, () => nowMs);
  const offer = (...names: readonly string[]) => {
    const tools = names.map((name) => ({
      ...{ name, title: name, description: '', isReadOnly: true, inputSchema: { type: 'object' } },
    }));
    services.answer(listTools, () => succeed({ name: 'p2p', version: '1', tools }));
  };
  const ask = (frame: CallFrame = frameOf(), isDraft = false) => listed.of({ assetId: 'p2p', isDraft }, frame);
  const namesFor = async (frame?: CallFrame, isDraft?: boolean) => {
    const found = await ask(frame, isDraft);
    return found.ok ? found.value.map(({ name }) => name) : found.failure.code;
  };
  return { services, offer, ask, namesFor, pass: (ms: number) => void (nowMs += ms) };
};
const frameOf = (more: Partial<Caller> = {}) => createContext(more.team ?? 'meridian', more);

describe('the tool list of an asset', () => {
  it('is at most a second old', async () => {
    const { offer, namesFor, services, pass } = open();
    offer('a');
    expect(await namesFor()).toEqual(['a']);
    offer('a', 'b');
    pass(999);
    expect(await namesFor()).toEqual(['a']);
    pass(1);
    expect(await namesFor()).toEqual(['a', 'b']);
    expect(services.calls).toHaveLength(2);
  });

  it('is read once for concurrent callers', async () => {
    const { offer, namesFor, services } = open();
    offer('a');
    expect(await Promise.all([namesFor(), namesFor(), namesFor()])).toEqual([['a'], ['a'], ['a']]);
    expect(services.calls).toHaveLength(1);
  });

  it('is cached per caller, and shared between callers with equal lists', async () => {
    const { offer, ask, namesFor, services } = open();
    offer('a');
    const mine = await ask();
    const callers = [
      frameOf({ subject: 'other' }),
      frameOf({ scopes: ['tools:execute'] }),
      frameOf({ furtherScopes: ['finance:read'] }),
      frameOf({ attributes: { plant: '1000' } }),
      frameOf({ team: 'northgate' }),
    ];
    for (const caller of callers) {
      const theirs = await ask(caller);
      expect(mine.ok && theirs.ok && mine.value === theirs.value).toBe(true);
    }
    expect(services.calls.map(({ frame }) => frame.caller)).toEqual(
      [frameOf(), ...callers].map(({ caller }) => caller),
    );
    offer('b');
    expect(await namesFor()).toEqual(['a']);
    expect(await namesFor(frameOf({ subject: 'third' }))).toEqual(['b']);
  });

  it('is cached separately for a draft', async () => {
    const { offer, namesFor } = open();
    offer('a');
    expect(await namesFor()).toEqual(['a']);
    offer('b');
    expect(await namesFor(frameOf(), true)).toEqual(['b']);
  });

  it('is read again after a failure', async () => {
    const { offer, namesFor, services, pass } = open();
    services.answer(listTools, () => fail('SERVICE_UNAVAILABLE', 'away'));
    expect(await namesFor()).toBe('SERVICE_UNAVAILABLE');
    offer('a');
    expect(await namesFor()).toEqual(['a']);
    services.answer(listTools, () => fail('TOOL_ASSET_NOTFOUND', 'gone'));
    pass(1_000);
    expect(await namesFor()).toBe('TOOL_ASSET_NOTFOUND');
    offer('b');
    expect(await namesFor()).toEqual(['b']);
  });
});
