/** The events that the entries of a change stand for. Refuses: to write them. */
import type { DataOf, EventDeclaration } from '@tessera/contracts';
import { elementChanged, elementDeleted, versionReleased } from '@tessera/contracts/content-repo';
import type { Change } from './change-storage.js';
import type { ChangeEntry } from './change.repository.js';

type Told = { readonly event: EventDeclaration; readonly data: DataOf<EventDeclaration> };

export const eventsOf = (
  { model, sequence }: Pick<Change, 'model' | 'sequence'>,
  entries: readonly ChangeEntry[],
): readonly Told[] =>
  entries.flatMap(({ action, facet, elementId, versionId, detail }): readonly Told[] => {
    const element = { collection: model.collection, storage: model.id, facet, elementId, sequence };
    const place = { ...element, ...(versionId && { versionId }) };
    switch (action) {
      case 'created':
      case 'updated':
      case 'versionCreated':
      case 'restored':
        return [{ event: elementChanged, data: { ...place, change: action } }];
      case 'transitioned': {
        const changed: Told = { event: elementChanged, data: { ...place, change: action } };
        const { to, version, expiredVersionId } = detail;
        if (to !== 'released' || !versionId || detail['from'] === 'requestToExpire') return [changed];
        return [
          changed,
          { event: versionReleased, data: { ...place, version, ...(expiredVersionId ? { expiredVersionId } : {}) } },
        ];
      }
      case 'deleted':
        return [{ event: elementDeleted, data: place }];
      case 'purged':
      case 'imported':
        return [];
    }
  });
