/** Events stay in the outbox: what a spec needs that looks at what was written. */
import type { EventPublishing } from '../events/publish-events.js';

export const unpublishedEvents: EventPublishing = { wake: () => undefined };
