/** The result of a tool, or that it came too late for anybody. Refuses: to end the tool; its `signal` tells it to. */
import { fail, type Result } from '@tessera/failures';
import type { ToolContext, ToolResult } from '../tools/tool.js';

export const runInTime = (
  running: Promise<Result<ToolResult>>,
  { signal }: Pick<ToolContext, 'signal'>,
): Promise<Result<ToolResult>> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(late);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    // Also when nobody waits any more: what the tool throws then is nobody's, and must not be unhandled.
    void running.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });

const late = fail('SERVICE_UNAVAILABLE', 'The tool did not answer in time.', { retryAfterSeconds: 1 });
