export { printCsdlJson } from './csdl/csdl-json.js';
export { printCsdlXml } from './csdl/csdl-xml.js';
export { type EntityModel, type EntityType, findEntityType } from './model/entity-model.js';
export { createEntityModel } from './model/entity-model-of.js';
export { type AnswerKind, chooseRepresentation, type Representation } from './query/choose-representation.js';
export {
  buildCountQuery,
  buildEntriesQuery,
  type EntriesPageQuery,
  type EntriesQuery,
  formatNextLink,
} from './query/entries-query.js';
export { type EntryPath, type FollowedLink, readEntryPath } from './query/entry-path.js';
export { buildEntryQuery, type EntryQuery } from './query/entry-query.js';
export { buildGroupCountQuery, buildGroupsQuery, type GroupsQuery } from './query/groups-query.js';
export type { LinkedExpansion } from './query/read-expand.js';
export { hasGrouping } from './query/scan-apply.js';
export { sealToken } from './query/skip-token.js';
export { createGroupsSerializer } from './payload/groups-payload.js';
export { printPropertyDocument, propertyValueText } from './payload/property-payload.js';
export { createReferencesSerializer } from './payload/references-payload.js';
export { requiredFieldIds, createPayloadSerializer } from './payload/payload-of.js';
export type {
  NavigationEntries,
  NavigationEntriesLayout,
  PayloadSerializer,
  PayloadLayout,
  Row,
} from './payload/payload.js';
export { printServiceDocumentJson, printServiceDocumentXml } from './service-document.js';
