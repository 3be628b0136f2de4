/** How answers are kept and when they are asked for again: never by itself, but where the server says when. */
import { QueryClient } from '@tanstack/react-query';
import { refusalOf } from './failures.js';

const staleAfterMs = 30_000;
const forgottenAfterMs = 5 * 60_000;
const retriesMax = 2;
/** Who has to wait longer is told so. */
const waitSecondsMax = 10;

/** Only what the server asks to send again: 429 and 503 with `Retry-After`, and not when that is long. */
export const isWorthRetrying = (failures: number, error: unknown): boolean => {
  const { status = 0, retryAfterSeconds } = refusalOf(error) ?? {};
  return (
    failures < retriesMax &&
    (status === 429 || status === 503) &&
    retryAfterSeconds !== undefined &&
    retryAfterSeconds <= waitSecondsMax
  );
};

export const retryDelayMs = (_failures: number, error: unknown): number =>
  (refusalOf(error)?.retryAfterSeconds ?? 1) * 1_000;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        ...{ staleTime: staleAfterMs, gcTime: forgottenAfterMs, retry: isWorthRetrying, retryDelay: retryDelayMs },
        ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
        // The gateway may be on this machine, whatever the browser knows of the internet.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
