/** What a search finds, with how well it fits, and the order of it. */
import type { SearchHit } from '@tessera/contracts/knowledge-models';

/** `score`: 0 to about 1. */
export type ScoredHit = { readonly hit: SearchHit; readonly score: number };

/** What is less like the term was not meant. */
export const minScore = 0.5;
const hitsMax = 20;
const entityTypeOrder: readonly SearchHit['entity_type'][] = ['Kpi', 'Attribute', 'Filter', 'Value'];

/** Best first; of what fits equally figures before the fields that they are made of, and values last. */
export const selectBestHits = (hits: readonly ScoredHit[]): readonly SearchHit[] =>
  hits
    .toSorted(
      (left, right) =>
        right.score - left.score ||
        entityTypeOrder.indexOf(left.hit.entity_type) - entityTypeOrder.indexOf(right.hit.entity_type) ||
        compareTexts(left.hit.id, right.hit.id) ||
        compareTexts(left.hit.display_name, right.hit.display_name),
    )
    .slice(0, hitsMax)
    .map(({ hit }) => hit);

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
