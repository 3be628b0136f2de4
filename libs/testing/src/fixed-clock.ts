/** A clock that stands still until the test moves it. */
type FixedClock = {
  readonly now: () => Date;
  readonly nowMs: () => number;
  readonly advance: (ms: number) => void;
};

/** The demo's "today", unless the test needs another instant. */
export const fixedClock = (start = '2026-06-30T00:00:00Z'): FixedClock => {
  let instantMs = Date.parse(start);
  return {
    now: () => new Date(instantMs),
    nowMs: () => instantMs,
    advance: (ms) => {
      instantMs += ms;
    },
  };
};
