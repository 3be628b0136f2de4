import { describe, expect, it } from '@jest/globals';
import { beginTurn, isOver, waitSeconds, withEvent, withoutAnswer, type LiveTurn } from './live-turn.js';

const begun = beginTurn({ agentId: 'analyst', message: 'How many?', idempotencyKey: 'k1' });
const after = (...events: readonly (readonly [string, unknown])[]): LiveTurn =>
  events.reduce((live, [event, data]) => withEvent(live, { event, data }), begun);

const turn = ['turn', { conversationId: 'c1', turn: 3 }] as const;
const toolCall = ['tool-call', { callId: 'a', tool: 'load-data', arguments: { columns: ['RATE'] } }] as const;

describe('a turn that is watched', () => {
  it('learns from its first event where it is kept', () => {
    expect(after(turn)).toMatchObject({ phase: 'running', conversationId: 'c1', turn: 3 });
  });

  it('collects its text as it comes', () => {
    expect(after(turn, ['text', { text: 'It is ' }], ['text', { text: '4.2 %.' }]).text).toBe('It is 4.2 %.');
  });

  it('has a step for each call, which is finished by its result', () => {
    const { steps } = after(
      turn,
      toolCall,
      ['tool-call', { callId: 'b', tool: 'search-data', arguments: {} }],
      ['tool-result', { callId: 'b', tool: 'search-data', isError: true, durationMs: 12 }],
    );
    expect(steps).toEqual([
      { callId: 'a', tool: 'load-data', arguments: { columns: ['RATE'] } },
      { callId: 'b', tool: 'search-data', arguments: {}, outcome: { isError: true, durationMs: 12 } },
    ]);
  });

  it('ends with the whole answer', () => {
    const live = after(turn, ['text', { text: 'It' }], ['response', { conversationId: 'c1', text: 'It is 4.2 %.' }]);
    expect([live.phase, live.text, isOver(live)]).toEqual(['answered', 'It is 4.2 %.', true]);
  });

  it('begins anew when the message is sent again', () => {
    expect(after(turn, toolCall, ['text', { text: 'half' }], turn)).toMatchObject({ text: '', steps: [] });
  });

  it.each([
    ['news', { text: 'x' }],
    ['text', null],
    ['text', 'x'],
    ['tool-result', { callId: 'unknown' }],
  ])('is not changed by %s %j', (event, data) => {
    expect(withEvent(begun, { event, data })).toEqual(begun);
  });

  it('has failed when it ends without an answer, and not when it has one', () => {
    const error = new Error('cut');
    expect(withoutAnswer(after(turn), error)).toMatchObject({ phase: 'failed', error });
    expect(withoutAnswer(after(turn, ['response', { text: 'x' }]), error).phase).toBe('answered');
  });

  it.each([
    ['sending', false],
    ['waiting', false],
    ['running', false],
    ['answered', true],
    ['stopped', true],
    ['failed', true],
  ] as const)('that is %s is over: %j', (phase, over) => {
    expect(isOver({ ...begun, phase })).toBe(over);
  });
});

it('a message waits by itself for the answer before it, and for nothing else', () => {
  expect(waitSeconds({ code: 'AGENT_CONVERSATION_BUSY', retryAfterSeconds: 3 })).toBe(3);
  expect(waitSeconds({ code: 'GENERAL_IDEMPOTENCY_RUNNING' })).toBe(2);
  expect(waitSeconds({ code: 'AGENT_MODEL_UNAVAILABLE', retryAfterSeconds: 3 })).toBeUndefined();
  expect(waitSeconds(undefined)).toBeUndefined();
});
