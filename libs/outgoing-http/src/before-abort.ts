/** Undefined when `signal` aborts first, whether the work listens to it or not. */
export const beforeAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    // What the work throws after that is nobody's, and must not be unhandled.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
