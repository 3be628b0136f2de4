/** The meaning, secrecy, expected value and default of each setting, from its schema. */
import { settingDependencyOf, type SettingsSchema } from '@tessera/service-kit';
import { z } from 'zod';

export type DescribedSetting = {
  readonly name: string;
  readonly means: string;
  readonly expected: string;
  readonly isSecret: boolean;
  /** What counts when it is absent; undefined when nothing does. */
  readonly preset: string | undefined;
  readonly isRequired: boolean;
};

type Unwrapped = { readonly schema: z.ZodType; readonly preset?: unknown; readonly isRequired: boolean };

const unwrap = (schema: unknown): Unwrapped => {
  if (schema instanceof z.ZodDefault)
    return { ...unwrap(schema.unwrap()), preset: schema.def.defaultValue, isRequired: false };
  if (schema instanceof z.ZodOptional) return { ...unwrap(schema.unwrap()), isRequired: false };
  if (schema instanceof z.ZodType) return { schema, isRequired: true };
  throw new Error('This is no schema.');
};

const presetText = (preset: unknown): string | undefined => {
  if (preset === undefined) return undefined;
  if (Array.isArray(preset)) return preset.join(',');
  return typeof preset === 'string' ? preset : JSON.stringify(preset);
};

const describe = (name: string, declared: z.ZodType): DescribedSetting => {
  const { schema, preset, isRequired } = unwrap(declared);
  const means = declared.description;
  const expected = schema.safeParse(undefined).error?.issues[0]?.message;
  if (means === undefined || expected === undefined || expected.startsWith('Invalid input'))
    throw new Error(`${name} does not say what it means and what is expected.`);
  const { onlyWith, onlyWithout } = settingDependencyOf(declared);
  return {
    name,
    means: [
      means,
      ...(onlyWith.length > 0 ? [`Only with ${onlyWith.join(' or ')}.`] : []),
      ...(onlyWithout.length > 0 ? [`Not with ${onlyWithout.join(' or ')}.`] : []),
    ].join(' '),
    expected,
    isSecret: declared.meta()?.['secret'] === true,
    preset: presetText(preset),
    isRequired,
  };
};

export const describedSettings = <C>({ shape }: SettingsSchema<C>): readonly DescribedSetting[] =>
  Object.entries(shape).map(([name, schema]) => describe(name, schema));
