export * from './csdl/csdl-json.js';
export * from './csdl/csdl-xml.js';
export * from './model/entity-model.js';
export * from './model/entity-model-of.js';
export * from './model/find-entity-type.js';
export { idOf, nameOf } from './names.js';
export { chooseRepresentation, type RepresentationRequest } from './question/choose-representation.js';
export {
  countQuestion,
  entriesQuestion,
  type EntriesQuestion,
  type EntriesRequest,
  type FilterRequest,
} from './question/entries-question.js';
export { entryQuestion, type EntryQuestion } from './question/entry-question.js';
export { nextLinkOf, type NextLinkRequest } from './question/next-link.js';
export * from './question/representation.js';
export { sealToken } from './question/skip-token.js';
export { fieldsNeeded } from './payload/fields-needed.js';
export type { Payload, PayloadSubject } from './payload/payload.js';
export { payloadOf } from './payload/payload-of.js';
export * from './service-document.js';
