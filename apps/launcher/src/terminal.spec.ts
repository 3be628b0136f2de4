import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openTerminal } from './terminal.js';

const capture = (isTTY: boolean, environment: NodeJS.ProcessEnv = {}, columns = 80) => {
  let text = '';
  const terminal = openTerminal({ isTTY, columns, write: (written: string) => (text += written) }, environment);
  return { terminal, text: () => text };
};
const logged = '{"level":"info","time":"2026-11-21T02:04:08.931Z","service":"agents","msg":"ready"}';
const loggedAt = new Date('2026-11-21T02:04:08.931Z').toTimeString().slice(0, 8);
const loading = { running: 'loading the demo', done: 'demo loaded' };

describe('openTerminal', () => {
  it('formats log lines for people, with or without a terminal', () => {
    const { terminal, text } = capture(false);
    terminal.line('agents', logged);
    terminal.line('postgres', 'WARNING: words');
    const [first, second] = text().split('\n');
    expect(first).toBe(`${loggedAt} agents            | info  ready`);
    expect(second).toMatch(/^\d\d:\d\d:\d\d postgres {10}\| WARNING: words$/);
  });

  it('colours the source on a terminal', () => {
    const { terminal, text } = capture(true);
    terminal.line('agents', logged);
    expect(text()).toBe(`${loggedAt} \u001b[36magents            |\u001b[0m info  ready\n`);
  });

  it('uses no colours when NO_COLOR is set', () => {
    const { terminal, text } = capture(true, { NO_COLOR: '1' });
    terminal.line('agents', 'text');
    expect(text()).toMatch(/^\S+ agents {12}\| text\n$/);
  });

  it('ends a step with its duration', async () => {
    const { terminal, text } = capture(false);
    expect(await terminal.step(loading, () => Promise.resolve(600))).toBe(600);
    expect(text()).toMatch(/^\S+ launcher {10}\| demo loaded \(0\.\d s\)\n$/);
  });

  it('prints nothing about a failed step, which is left to the caller', async () => {
    const { terminal, text } = capture(false);
    await expect(terminal.step(loading, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(text()).toBe('');
  });

  it('prints the running step and its progress within a second without a terminal', async () => {
    const { terminal, text } = capture(false);
    await terminal.step(loading, async (tell) => {
      tell('2/9');
      while (!text().includes('\n')) await sleep(20);
    });
    expect(text().split('\n')[0]).toMatch(/^\S+ launcher {10}\| loading the demo… 2\/9, \d s$/);
  });

  it('shows the running step in the last line, cut to the width of the terminal', async () => {
    const { terminal, text } = capture(true, { NO_COLOR: '1' }, 20);
    await terminal.step(loading, () => {
      terminal.line('demo', 'text');
      return Promise.resolve();
    });
    const lines = text().split('\n');
    expect(lines[0]).toMatch(/^\r\u001b\[2Kloading the demo… …\r\u001b\[2K\S+ demo {14}\| text$/);
    expect(lines[1]).toMatch(
      /^\r\u001b\[2Kloading the demo… …\r\u001b\[2K\S+ launcher {10}\| demo loaded \(0\.\d s\)$/,
    );
    expect(lines[2]).toBe('');
  });

  it('prints nothing but JSON with LOG_FORMAT=json', async () => {
    const { terminal, text } = capture(true, { LOG_FORMAT: 'json' });
    terminal.line('agents', logged);
    terminal.line('postgres', 'WARNING: words');
    await terminal.step(loading, () => Promise.resolve());
    terminal.ready({ gateway: 'http://localhost:1' });
    const records = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(text().startsWith(`${logged}\n`)).toBe(true);
    expect(records).toEqual([
      JSON.parse(logged),
      expect.objectContaining({ level: 'info', service: 'postgres', msg: 'WARNING: words' }),
      expect.objectContaining({ service: 'launcher', msg: expect.stringMatching(/^demo loaded \(/) }),
      expect.objectContaining({ service: 'launcher', gateway: 'http://localhost:1', msg: 'READY' }),
    ]);
  });

  it('prints one READY line for programs to wait for', () => {
    const { terminal, text } = capture(false);
    terminal.ready({ gateway: 'http://localhost:1', env: '.tessera/env' });
    expect(text()).toBe('READY gateway=http://localhost:1 env=.tessera/env\n');
  });
});
