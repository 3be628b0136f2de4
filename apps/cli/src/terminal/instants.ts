/** `2026-06-30 09:15` */
export const minuteOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

/** A day alone is the instant at which it begins; everything else stays as it is. */
export const instantOf = (given: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}T00:00:00Z` : given);
