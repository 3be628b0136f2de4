import { describe, expect, it } from '@jest/globals';
import { beginTurn, type LiveTurn } from './live-turn.js';
import type { StoredTurn } from './read-turns.js';
import { belongsTo, mergeTurns, showLive, showStored } from './shown-turn.js';

const at = '2026-06-30T10:00:00Z';
const usage = { inputTokens: 0, outputTokens: 0 };
const storedTurn = (turn: number, more: Partial<StoredTurn> = {}): StoredTurn => ({
  ...{ turn, state: 'completed', message: `${turn}?`, text: `${turn}!`, agentVersion: '1', model: 'builtin' },
  ...{ usage, startedAt: at, steps: [], ...more },
});
const begun = beginTurn({ agentId: 'analyst', message: 'How many?', idempotencyKey: 'k1', askedIn: 'c1' });
const live = (more: Partial<LiveTurn>): LiveTurn => ({ ...begun, ...more });

it('a turn that was read shows its calls, and what the model said beside them', () => {
  const model = { kind: 'model', at, durationMs: 1, usage } as const;
  const tool = { kind: 'tool', at, durationMs: 12, callId: 'a', tool: 'load-data', arguments: {} } as const;
  const steps = [
    { ...model, text: 'I look it up.' },
    { ...tool, result: '{}', isError: false },
    { ...model, text: 'Done.' },
  ];
  expect(showStored(storedTurn(2, { text: 'Done.', steps }))).toMatchObject({
    ...{ id: '2', message: '2?', text: 'Done.', state: 'completed' },
    steps: [
      { kind: 'said', text: 'I look it up.' },
      { kind: 'tool', id: '2.0', tool: 'load-data', result: '{}', outcome: { isError: false, durationMs: 12 } },
    ],
  });
});

it('a turn that was read has its figures, the evidence of its calls and what answers a question that it asks back', () => {
  const choices = ['1. Country (Plant)', '2. Country (Supplier)'];
  const grounding = { outcome: 'verified', figures: [] } as const;
  const when = { at, durationMs: 1 };
  const tool = { kind: 'tool', ...when, tool: 'load-data', arguments: {}, result: '{}', isError: false } as const;
  const turn = storedTurn(2, {
    steps: [
      { ...tool, callId: 'a', evidence: '/intelligence/api/evidence/e1' },
      { ...tool, callId: 'b', tool: 'find-content' },
      { kind: 'model', ...when, usage, text: '2!', choices },
      { kind: 'grounding', ...when, ...grounding, figures: [] },
    ],
  });
  const shown = showStored(turn);
  expect(shown).toMatchObject({ grounding, choices });
  expect(shown.steps.map((step) => step.kind === 'tool' && step.evidence)).toEqual([
    { path: '/evidence/$evidenceId', params: { evidenceId: 'e1' } },
    undefined,
  ]);
  expect(showStored(storedTurn(1))).toMatchObject({ grounding: undefined, choices: [] });
});

it('a turn that is watched shows its calls without results', () => {
  const steps = [{ callId: 'a', tool: 'load-data', arguments: {} }];
  expect(showLive(live({ phase: 'running', turn: 3, steps }))).toMatchObject({
    ...{ id: '3', state: 'running' },
    steps: [{ id: '3.0', tool: 'load-data' }],
  });
  expect(showLive(live({ phase: 'failed' }))).toMatchObject({ id: 'new', state: 'failed' });
});

describe('turns of a conversation', () => {
  const idsOf = (stored: readonly StoredTurn[], watched?: LiveTurn): readonly string[] =>
    mergeTurns(stored, watched).map(({ id, live: isLive }) => (isLive ? `${id} live` : id));

  it('are those that were read', () => {
    expect(idsOf([storedTurn(1), storedTurn(2)])).toEqual(['1', '2']);
  });

  it('end with the one that is watched, once', () => {
    expect(idsOf([storedTurn(1)], live({}))).toEqual(['1', 'new live']);
    const running = storedTurn(2, { state: 'running' });
    expect(idsOf([storedTurn(1), running], live({ turn: 2, phase: 'running' }))).toEqual(['1', '2 live']);
  });

  it('that were read are the same objects after each event of the one that is watched', () => {
    const stored = [storedTurn(1), storedTurn(2)];
    const before = mergeTurns(stored, live({ turn: 3, phase: 'running', text: 'It' }));
    const after = mergeTurns(stored, live({ turn: 3, phase: 'running', text: 'It is' }));
    expect(after.slice(0, 2).map((turn, at) => turn === before[at])).toEqual([true, true]);
    expect(after[2]).not.toBe(before[2]);
    // What was read anew and is another turn now is shown as it is now.
    const [, changed] = mergeTurns([storedTurn(1), storedTurn(2, { text: 'Corrected' })], undefined);
    expect(changed?.text).toBe('Corrected');
  });

  it('have the answer as it was read as soon as it was', () => {
    const answered = live({ turn: 2, phase: 'answered' });
    expect(idsOf([storedTurn(1)], answered)).toEqual(['1', '2 live']);
    expect(idsOf([storedTurn(1), storedTurn(2)], answered)).toEqual(['1', '2']);
  });

  it('keep what was stopped or failed as it was seen', () => {
    for (const phase of ['stopped', 'failed'] as const)
      expect(idsOf([storedTurn(1), storedTurn(2)], live({ turn: 2, phase }))).toEqual(['1', '2 live']);
  });
});

describe('a turn that is watched', () => {
  const open = (conversationId: string | undefined, agentId = 'analyst') => ({ agentId, conversationId });

  it('belongs to its conversation alone', () => {
    expect(belongsTo(begun, open('c1'), true)).toBe(true);
    for (const other of [open('c2'), open(undefined), open('c1', 'other')])
      expect(belongsTo(begun, other, true)).toBe(false);
  });

  it('of a new conversation belongs to where it was asked until it has an address', () => {
    const fresh = live({ askedIn: undefined, conversationId: 'c9' });
    expect(belongsTo(fresh, open(undefined), false)).toBe(true);
    expect(belongsTo(fresh, open('c9'), false)).toBe(true);
    expect(belongsTo(fresh, open(undefined), true)).toBe(false);
  });
});
