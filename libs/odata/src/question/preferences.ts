/**
 * `Prefer` -> the size of pages that is preferred. Of a preference that stands there twice the first counts (RFC 7240).
 * Refuses: nothing. A preference that is not understood is passed over.
 */
import { readParameter, splitUnquoted } from '@tessera/contracts';

export const preferredPageSize = (prefer: string | undefined, sizeMax: number): number | undefined => {
  for (const preference of splitUnquoted(prefer ?? '', ',')) {
    const [name, value] = readParameter(splitUnquoted(preference, ';')[0] ?? '');
    if (name !== 'odata.maxpagesize' && name !== 'maxpagesize') continue;
    return /^\d{1,15}$/.test(value) && Number(value) > 0 ? Math.min(Number(value), sizeMax) : undefined;
  }
  return undefined;
};
