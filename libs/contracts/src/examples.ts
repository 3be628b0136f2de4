/** Requests and answers that the OpenAPI document shows, as apps/e2e/src/openapi-examples.e2e-spec.ts has recorded them; a line for each operation. */
import recorded from './examples.golden.json' with { type: 'json' };
import type { OperationExample } from './openapi-parts.js';

export const examples: Readonly<Record<string, OperationExample>> = recorded;
