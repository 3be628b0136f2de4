export * from './model/entity-model.js';
export * from './model/entity-model-of.js';
export * from './model/find-entity-type.js';
export { idOf, nameOf } from './names.js';
export * from './question/entries-question.js';
export * from './question/representation.js';
