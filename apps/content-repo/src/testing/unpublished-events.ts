/** Events stay in the outbox: what a spec needs that looks at what was written. */
import type { EventPublishing } from '@tessera/service-kit';

export const unpublishedEvents: EventPublishing = { wake: () => undefined };
