import { describe, expect, it } from '@jest/globals';
import { isLogRecord, parseLogLine } from './log-line.js';

describe('parseLogLine', () => {
  it('shows time, level, message and the other members', () => {
    const line =
      '{"level":"warn","time":"2026-11-21T02:04:08.931Z","service":"agents","pid":7,"missing":["nats"],"waitMs":20,"msg":"not ready"}';
    const time = new Date('2026-11-21T02:04:08.931Z').toTimeString().slice(0, 8);
    expect(parseLogLine(line)).toEqual({ time, words: 'warn  not ready missing=["nats"] waitMs=20' });
  });

  it('puts the stack of an error below the line', () => {
    const line = JSON.stringify({
      level: 'error',
      time: '2026-11-21T02:04:08Z',
      err: { type: 'Error', code: '23505', stack: 'at f\nat g' },
      msg: 'it failed',
    });
    expect(parseLogLine(line).words).toBe('error it failed err={"type":"Error","code":"23505"}\nat f\nat g');
  });

  it.each(['', 'plain text', '{"broken', '{"a":1}', 'null'])('returns the non-record line %j unchanged', (text) => {
    expect(parseLogLine(text)).toEqual({ words: text, time: undefined });
    expect(isLogRecord(text)).toBe(false);
  });
});
