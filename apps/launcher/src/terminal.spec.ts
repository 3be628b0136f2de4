import { describe, expect, it } from '@jest/globals';
import { openTerminal } from './terminal.js';

const capture = (isTTY: boolean, environment: NodeJS.ProcessEnv = {}) => {
  let text = '';
  const terminal = openTerminal({ isTTY, write: (written: string) => (text += written) }, environment);
  return { terminal, text: () => text };
};
const logged = '{"level":"info","time":"2026-11-21T02:04:08.931Z","service":"agents","msg":"ready"}';

describe('openTerminal', () => {
  it('begins each line with its source, without colours when there is no terminal', () => {
    const { terminal, text } = capture(false);
    terminal.line('agents', logged);
    expect(text()).toBe(`agents            | ${logged}\n`);
  });

  it('colours the source and makes log lines readable on a terminal', () => {
    const { terminal, text } = capture(true);
    terminal.line('agents', logged);
    expect(text()).toBe('\u001b[36magents            |\u001b[0m 02:04:08 info  ready\n');
  });

  it('uses no colours when NO_COLOR is set', () => {
    const { terminal, text } = capture(true, { NO_COLOR: '1' });
    terminal.line('agents', 'text');
    expect(text()).toBe('agents            | text\n');
  });

  it('ends a step with its result and duration', async () => {
    const { terminal, text } = capture(false);
    const value = await terminal.step(
      'demo loaded',
      () => Promise.resolve(600),
      (count) => `with ${count} elements`,
    );
    expect(value).toBe(600);
    expect(text()).toMatch(/^launcher {10}\| demo loaded with 600 elements \(0\.\d s\)\n$/);
  });

  it('prints nothing about a failed step; the caller does', async () => {
    const { terminal, text } = capture(false);
    await expect(terminal.step('never', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(text()).toBe('');
  });
});
