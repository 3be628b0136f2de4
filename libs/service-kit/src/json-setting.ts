/**
 * A setting that is a JSON object: entries by name. Never prints a value, which may be an address or a secret; messages name
 * members.
 */
import { z } from 'zod';

/** `shape` describes the whole; messages of `name` and `entry` say what was expected (`at least 1`). Empty when absent. */
export const jsonByName = <Entry extends z.ZodType>(
  shape: string,
  name: z.core.$ZodRecordKey & z.ZodType<string>,
  entry: Entry,
) => {
  const entries = z.record(name, entry, 'an object');
  return z
    .string(shape)
    .transform((text, context): Readonly<Record<string, z.output<Entry>>> => {
      const parsed = entries.safeParse(jsonOf(text));
      if (parsed.success) return parsed.data;
      const faults = parsed.error.issues.map(faultText).filter((fault) => fault !== '');
      context.addIssue({ code: 'custom', message: [shape, ...new Set(faults)].join('; ') });
      return z.NEVER;
    })
    .default({});
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const faultText = (issue: z.core.$ZodIssue): string => {
  if (issue.path.length === 0) return '';
  const member = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `${member} has no member ${issue.keys.join(', ')}`;
  return issue.code === 'invalid_key'
    ? `the name ${member} should be ${issue.issues[0]?.message ?? 'another'}`
    : `${member} should be ${issue.message}`;
};
