export { checkSchema, isSchemaObject, resolveReference } from './check-schema.js';
export { findValidationErrors, getValidator, findValueFaults, withoutIneffectiveMembers } from './validate-value.js';
export { isTooCostlyToValidate } from './validation-cost.js';
export { compilePattern, withMatchStepLimit, type LinearPattern } from './linear-pattern.js';
export { compileSchema } from './compile-schema.js';
export { notAnObjectFault, toSchemaFaults } from './schema-faults.js';
