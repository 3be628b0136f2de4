import { ChangeEntry } from './change-entry.entity.js';
import { Change } from './change.entity.js';
import { ContentElement } from './content-element.entity.js';
import { ContentImport } from './content-import.entity.js';
import { DeletedVersion } from './deleted-version.entity.js';
import { ElementRelation } from './element-relation.entity.js';
import { ElementVersion } from './element-version.entity.js';
import { Element } from './element.entity.js';
import { ImportedElement } from './imported-element.entity.js';
import { RenditionHistory } from './rendition-history.entity.js';
import { Rendition } from './rendition.entity.js';
import { IdempotencyRecord, OutboxEvent } from './shared.entity.js';
import { Storage } from './storage.entity.js';

export const contentRepoEntities = [
  Change,
  ChangeEntry,
  ContentElement,
  ContentImport,
  DeletedVersion,
  Element,
  ElementRelation,
  ElementVersion,
  ImportedElement,
  IdempotencyRecord,
  OutboxEvent,
  Rendition,
  RenditionHistory,
  Storage,
] as const;

export { ContentImport, ImportedElement };
