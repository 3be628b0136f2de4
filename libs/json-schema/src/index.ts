export { checkSchema, isSchemaObject, targetOf } from './check-schema.js';
export { errorsOf, validatorOf, valueFaults } from './validate-value.js';
export { isTooCostly } from './validation-cost.js';
export { compilePattern, withStepsCounted, type LinearPattern } from './linear-pattern.js';
export { compileSchema } from './compile-schema.js';
export { notAnObject, schemaFaults } from './schema-faults.js';
