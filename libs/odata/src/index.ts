export { csdlJson } from './csdl/csdl-json.js';
export { csdlXml } from './csdl/csdl-xml.js';
export { type EntityModel, type EntityType, findEntityType } from './model/entity-model.js';
export { entityModelOf } from './model/entity-model-of.js';
export { type AnswerKind, chooseRepresentation, type Representation } from './query/choose-representation.js';
export {
  buildCountQuery,
  buildEntriesQuery,
  type EntriesPageQuery,
  type EntriesQuery,
  nextLinkOf,
} from './query/entries-query.js';
export { type EntryPath, type FollowedLink, readEntryPath } from './query/entry-path.js';
export { buildEntryQuery, type EntryQuery } from './query/entry-query.js';
export { buildGroupCountQuery, buildGroupsQuery, type GroupsQuery } from './query/groups-query.js';
export type { LinkedExpansion } from './query/read-expand.js';
export { isGrouping } from './query/scan-apply.js';
export { sealToken } from './query/skip-token.js';
export { groupsPayload } from './payload/groups-payload.js';
export { propertyBody, propertyText } from './payload/property-payload.js';
export { referencesPayload } from './payload/references-payload.js';
export { fieldsNeeded, payloadOf } from './payload/payload-of.js';
export type { LinkedEntries, LinkedSubject, Payload, PayloadSubject, Row } from './payload/payload.js';
export { serviceDocumentJson, serviceDocumentXml } from './service-document.js';
