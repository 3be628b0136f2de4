export * from './model/entity-model.js';
export * from './question/entries-question.js';
export * from './question/representation.js';
