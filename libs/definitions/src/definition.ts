/** A kind of definitions: what is specific to models, assets or agents. */
import type { DefinitionChange } from '@tessera/contracts';
import type { EventToWrite, VersionedDefinitions } from '@tessera/persistence';

export type Definition = { readonly kind: string; readonly id: string };

type EventContent = Pick<EventToWrite, 'event' | 'data'>;

export type DefinitionKind<D extends Definition> = {
  readonly tables: VersionedDefinitions;
  /** Undefined for what was stored once and does not parse any more. */
  readonly parse: (stored: unknown) => D | undefined;
  readonly compare: (before: D, after: D) => readonly DefinitionChange[];
  readonly publishedEvent: (id: string, version: number) => EventContent;
  readonly deletedEvent: (id: string) => EventContent;
};

export type AppliedDefinition<D extends Definition> = {
  readonly kind: D['kind'];
  readonly id: string;
  readonly state: 'created' | 'changed' | 'unchanged';
  /** The published version; absent for a draft. */
  readonly version?: number;
  readonly changes: DefinitionChange[];
};
