import { describe, expect, it } from '@jest/globals';
import { runInRequestScope } from '@tessera/messaging';
import { createNestLogger, openLog } from './log.js';

const recording = (level: 'info' | 'debug' = 'info') => {
  const lines: string[] = [];
  const { log } = openLog('agents', level, { write: (line: string) => void lines.push(line) });
  return { log, lines: () => lines.map((line): Record<string, unknown> => JSON.parse(line)) };
};

describe('the log', () => {
  it('writes one JSON line with service, level and time', () => {
    const { log, lines } = recording();
    log.info({ rows: 3 }, 'loaded');
    log.debug({}, 'not at this level');
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'info', service: 'agents', rows: 3, msg: 'loaded', pid: process.pid }),
    ]);
    expect(lines()[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('adds request, trace and team ids to every line of a request, across awaits, and to no other', async () => {
    const { log, lines } = recording();
    await runInRequestScope({ requestId: 'r-1', team: 'meridian' }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.warn({}, 'inside');
    });
    await runInRequestScope({ requestId: 'r-2', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }, async () =>
      log.warn({}, 'traced'),
    );
    log.warn({}, 'outside');
    expect(lines()[0]).toMatchObject({ requestId: 'r-1', team: 'meridian' });
    expect(lines()[1]).toMatchObject({ requestId: 'r-2', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) });
    expect(lines()[1]).not.toHaveProperty('traceparent');
    expect(lines()[2]).not.toHaveProperty('requestId');
  });

  it('redacts secrets in fields, messages and errors', () => {
    const { log, lines } = recording();
    log.error({ reason: 'cannot reach postgres://u:hunter2@h/d', appkey: 'tsk_a_hunter3_c' }, 'tsk_b_hunter4_d');
    expect(JSON.stringify(lines())).not.toContain('hunter');
  });

  it('writes Nest’s messages with their context, stacks and errors', () => {
    const { log, lines } = recording();
    const nest = createNestLogger(log);
    nest.log('listening', 'Gateway');
    nest.log('AppModule dependencies initialized', 'InstanceLoader');
    nest.error('broken ada', 'Error: broken ada\n    at run (file:///a.js:1:2)', 'Operations');
    nest.error(new Error('thrown ada'), 'Operations');
    nest.warn?.('not stored', new TypeError('thrown ada'), 'Operations');
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'info', context: 'Gateway', msg: 'listening' }),
      expect.objectContaining({ level: 'error', context: 'Operations', stack: 'at run (file:///a.js:1:2)' }),
      expect.objectContaining({ level: 'error', msg: 'an error', err: expect.objectContaining({ type: 'Error' }) }),
      expect.objectContaining({
        level: 'warn',
        msg: 'not stored',
        err: expect.objectContaining({ type: 'TypeError' }),
      }),
    ]);
    expect(JSON.stringify(lines())).not.toContain('ada');
  });

  it('writes Nest’s startup messages at debug level only', () => {
    const { log, lines } = recording('debug');
    createNestLogger(log).log('AppModule dependencies initialized', 'InstanceLoader');
    expect(lines()[0]).toMatchObject({ level: 'debug' });
  });
});
