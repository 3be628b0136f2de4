import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { converse } from '@tessera/contracts/agents';
import { postModelQuery } from '@tessera/contracts/knowledge-models';
import { fakeConversationId } from '../testing/fake-agents.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { nonEmptyLines, runTessera, testKey } from '../testing/run-tessera.js';

let gateway: FakeGateway;
let folder: string;
beforeEach(async () => {
  gateway = await startFakeGateway(testKey);
  folder = mkdtempSync(join(tmpdir(), 'tessera-eval-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway.stop();
});

const write = (questions: readonly object[], more: object = { agent: 'p2p-analyst' }): void =>
  writeFileSync(join(folder, 'a.eval.yaml'), JSON.stringify({ ...more, questions }));
const evaluate = (...more: readonly string[]) => runTessera(['eval', folder, ...more], { gatewayUrl: gateway.url });
const answers = (...texts: readonly string[]): void =>
  gateway.script(
    converse,
    texts.map((text) => ({ text: JSON.stringify({ conversationId: fakeConversationId, text }) })),
  );
const rate = { ask: 'What is the maverick rate?', figures: [0.042] };

describe('eval', () => {
  it('tells the verdict of each answer and the sums', async () => {
    write([
      rate,
      { ask: ['Spend in 2025', 'and in 2026?'], figures: [12, 13] },
      { ask: 'Revenue?', expects: 'refusal' },
    ]);
    answers('The rate is 4.20 %.', 'Spend: 7', 'Spend: 12', 'Revenue is 42.');
    const { exitCode, out } = await evaluate();
    expect(exitCode).toBe(0);
    expect(out).toMatch(/1 +right .*What is the maverick rate\?/);
    expect(out).toMatch(/2 +half .*Spend in 2025 \/ and in 2026\?/);
    expect(out).toMatch(/this run +3 +1 \(33\.3 %\) +1 \(33\.3 %\) +1 \(33\.3 %\) +0 \(0\.0 %\)/);
    expect(gateway.requests).toContainEqual(
      expect.objectContaining({ message: { message: 'and in 2026?', conversationId: fakeConversationId } }),
    );
  });

  it('compares with the run before, and keeps this one', async () => {
    write([rate]);
    answers('It is 5 %.');
    expect((await evaluate()).out).not.toContain('last run');
    answers('It is 4.2 %.');
    const { out } = await evaluate('--json');
    expect(JSON.parse(out)).toMatchObject({
      score: { right: 1, wrong: 0 },
      last: { right: 0, wrong: 1 },
      changed: [{ asked: ['What is the maverick rate?'], was: 'wrong', is: 'right' }],
    });
    answers('No idea.');
    expect(nonEmptyLines((await evaluate()).out).at(-1)).toBe('right -> refused: What is the maverick rate?');
    expect(JSON.parse(readFileSync(join(folder, 'last-run.json'), 'utf8'))).toMatchObject({
      outcomes: [{ verdict: 'refused', answer: 'No idea.' }],
    });
  });

  it('ends with 1 below what is wanted', async () => {
    write([rate]);
    answers('It is 5 %.');
    expect((await evaluate('--max-wrong', '1')).exitCode).toBe(1);
    answers('It is 4.2 %.');
    expect((await evaluate('--min-right', '85', '--max-wrong', '1')).exitCode).toBe(0);
    answers('No idea.');
    expect((await evaluate('--min-right', '85')).exitCode).toBe(1);
  });

  it('asks the model for the truth of a query', async () => {
    write([
      { ask: 'Rate by plant?', query: { model: 'p2p.base-km', kpis: ['RATE'], fields: ['ITEM.PLANT'], rows: 1 } },
    ]);
    const header = { name: 'x', filterable: true, sortable: true };
    gateway.script(postModelQuery, [
      {
        text: JSON.stringify({
          ...{ page: 0, pageSize: 1, total: 1, sort: [], content: [{ 'ITEM.PLANT': 'Lyon', RATE: 0.25 }] },
          headers: [header],
        }),
      },
    ]);
    answers('| Lyon | 25 % |');
    const { out, err } = await evaluate();
    expect({ out, err }).toMatchObject({ out: expect.stringMatching(/1 +right/) });
  });

  it('counts the tokens of the conversation', async () => {
    write([rate]);
    answers('It is 4.2 %.');
    const { out } = await evaluate('--json');
    expect(JSON.parse(out)).toMatchObject({ score: { tokens: 23 } });
  });

  it.each([
    ['no file', undefined, 'has no file whose name ends with .eval.yaml'],
    ['a truth that is none', { agent: 'a', questions: [{ ask: 'What?' }] }, 'a.eval.yaml: questions.0'],
    ['an agent that nobody names', { questions: [rate] }, 'a.eval.yaml names no agent; name one by --agent'],
  ])('refuses %s', async (_, document, says) => {
    if (document) writeFileSync(join(folder, 'a.eval.yaml'), JSON.stringify(document));
    const { exitCode, err } = await evaluate();
    expect([exitCode, err]).toEqual([2, expect.stringContaining(says)]);
  });
});
