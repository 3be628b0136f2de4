/** Schemas of OpenAPI 3.0.3: those of the contracts, and references between components. */
import { z } from 'zod';

export type Schema = { readonly [member: string]: unknown };

export const createComponentRef = (kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The members of what a request may hold. */
export const memberSchemasOf = (type: z.ZodType): Readonly<Record<string, Schema>> => propertiesOf(schemaOf(type));

const schemaOf = (type: z.ZodType): Schema => {
  const value: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(type, { target: 'openapi-3.0', io: 'input' })));
  return isSchema(value) ? value : {};
};

export const propertiesOf = ({ properties }: Schema): Readonly<Record<string, Schema>> =>
  isSchema(properties)
    ? Object.fromEntries(
        Object.entries(properties).flatMap(([name, value]) => (isSchema(value) ? [[name, value]] : [])),
      )
    : {};

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
