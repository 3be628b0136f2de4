/**
 * How long the event loop is held, in seconds of the processor: the time that passes beyond what a timer asked for, as far
 * as the thread works in it. A machine that gives the process no turn adds nothing.
 */

const tickMs = 10;
/** What is shorter is not told; most ticks are. */
const shortestMs = 5;

/** Tells each hold; the answer ends it. */
export const watchEventLoop = (tell: (seconds: number) => void): (() => void) => {
  let [wallMs, cpuMs] = [performance.now(), threadCpuMs()];
  const look = (): void => {
    const [nowMs, nowCpuMs] = [performance.now(), threadCpuMs()];
    const heldMs = Math.min(nowMs - wallMs - tickMs, nowCpuMs - cpuMs);
    if (heldMs >= shortestMs) tell(heldMs / 1000);
    [wallMs, cpuMs] = [nowMs, nowCpuMs];
  };
  const timer = setInterval(look, tickMs).unref();
  return () => clearInterval(timer);
};

/** Of this thread, with the garbage collection that runs on it. */
const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
