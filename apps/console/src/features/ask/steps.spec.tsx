import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ShownStep } from './shown-turn.js';
import { Steps } from './steps.js';

const step = (more: Partial<Extract<ShownStep, { kind: 'tool' }>>): ShownStep => ({
  ...{ kind: 'tool', id: '1.0', tool: 'load-data', arguments: { columns: ['RATE'] } },
  ...more,
});
const markup = (steps: readonly ShownStep[], open: readonly string[] = ['1.0']): string =>
  renderToStaticMarkup(<Steps steps={steps} open={open} showsEvidence={false} onToggle={() => undefined} />);

it('a call that runs says so, and that its result comes later', () => {
  const shown = markup([step({})]);
  for (const text of ['load-data', 'running', '&quot;RATE&quot;', 'It is shown when the answer is complete.'])
    expect(shown).toContain(text);
});

it('a call that failed says why, in words', () => {
  const outcome = { isError: true, durationMs: 1_234 };
  const shown = markup([step({ outcome, result: '{"code":"TOOL_FAILED","message":"<b>It is away.</b>"}' })]);
  for (const text of ['failed', '1.23', '&lt;b&gt;It is away.&lt;/b&gt;']) expect(shown).toContain(text);
});

it('what is closed shows its name alone, and what the model said stands between the calls', () => {
  const shown = markup([{ kind: 'said', id: '1.said.0', text: 'I look it up.' }, step({ arguments: {} })], []);
  expect(shown).toContain('I look it up.');
  expect(shown).not.toContain('Arguments');
});

it('a long name and a foreign result stay text', () => {
  const outcome = { isError: false, durationMs: 1 };
  const shown = markup([
    step({ tool: 'x'.repeat(10_000), outcome, result: '<script>alert(1)</script>', arguments: {} }),
  ]);
  expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(shown).toContain('None.');
  expect(shown).not.toContain('x'.repeat(100));
});
