/**
 * The one answer for what is not there, whatever is missing and whoever has it.
 * Refuses: to tell an unknown storage from an unknown facet or from another team's element.
 */
import { fail } from '@tessera/failures';

export const contentNotFound = fail('CONTENT_NOTFOUND', 'There is nothing at this address.');
