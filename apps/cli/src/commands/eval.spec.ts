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
    ['a truth that is none', { agent: 'a', questions: [rate, { ask: 'What?' }] }, 'a.eval.yaml:1:82 expected figures'],
    ['a truth without a value', { agent: 'a', questions: [{ ask: 'What?', figures: [] }] }, ':1:27 expected figures'],
    [
      'a query that is none',
      { agent: 'a', questions: [{ ask: 'What?', query: { model: 'm', where: Array(51).fill('A eq 1') } }] },
      'a.eval.yaml:1:63 expected array to have <=50 items',
    ],
    ['a member that is unknown', { agent: 'a', questions: [{ ...rate, figure: 1 }] }, 'did you mean "figures"?'],
    ['an agent that nobody names', { questions: [rate] }, 'add "agent: <id>" to the file, or give --agent <id>'],
  ])('refuses %s', async (_, document, says) => {
    if (document) writeFileSync(join(folder, 'a.eval.yaml'), JSON.stringify(document));
    const { exitCode, err } = await evaluate();
    expect([exitCode, err]).toEqual([2, expect.stringContaining(says)]);
  });

  it.each(['abc', '', '-1', '101', '85 %', '1e1', 'NaN'])('refuses "%s" as a limit before it asks', async (limit) => {
    write([rate]);
    for (const option of ['--min-right', '--max-wrong'])
      expect(await evaluate(`${option}=${limit}`)).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining(`${option}: expected per cent as a number from 0 to 100`),
      });
    expect(gateway.calls).toEqual([]);
  });

  it('tells every truth that the model refuses, with its line, before it asks the agent', async () => {
    const query = (kpi: string) => ({ ask: `${kpi}?`, query: { model: 'p2p.base-km', kpis: [kpi] } });
    writeFileSync(
      join(folder, 'a.eval.yaml'),
      [
        'agent: p2p-analyst',
        'questions:',
        ...[rate, query('RAET'), query('COUNT')].map((each) => `  - ${JSON.stringify(each)}`),
      ].join('\n'),
    );
    const refusal = { status: 400, title: 'Not valid', detail: 'There is no KPI RAET.' };
    const none = { page: 0, pageSize: 25, total: 0, sort: [], headers: [], content: [{ COUNT: null }] };
    gateway.script(postModelQuery, [refusal, { text: JSON.stringify(none) }]);
    const { exitCode, err } = await evaluate();
    expect(exitCode).toBe(3);
    expect(nonEmptyLines(err)).toEqual([
      'a.eval.yaml:4 the query that is the truth of this question was refused:',
      'Not valid: There is no KPI RAET.',
      'Request id: request-1',
      'a.eval.yaml:5 the query that is the truth of this question finds no value, so every answer would be right; say by figures or texts what a right answer has.',
    ]);
    expect(gateway.calls).not.toContain(converse.name);
  });

  it('names the model, not the agent, as what the team of the key may not have', async () => {
    write([{ ask: 'Rate?', query: { model: 'p2p.base-km', kpis: ['RATE'] } }]);
    gateway.script(postModelQuery, [{ status: 404, title: 'Not found', detail: 'There is no model p2p.base-km.' }]);
    expect((await evaluate()).err).toContain('a key of the team that has the model');
  });

  it.each(['{"at": "2026', '[]', '{}'])('goes on without comparing with a broken run: %s', async (content) => {
    write([rate]);
    writeFileSync(join(folder, 'last-run.json'), content);
    answers('It is 4.2 %.');
    const { exitCode, out, err } = await evaluate();
    expect([exitCode, err]).toEqual([0, expect.stringContaining('is not the result of a run')]);
    expect(out).not.toContain('last run');
    expect(JSON.parse(readFileSync(join(folder, 'last-run.json'), 'utf8'))).toMatchObject({ outcomes: [{}] });
  });
});
