/**
 * Replaces `{secret:NAME}` in definitions, and removes the same secrets from what comes back. The caller passes the values that
 * it allows.
 */
const secretPlaceholder = /\{secret:([^{}]*)\}/g;
const maskText = '[secret]';

export const secretNamesIn = (text: string): readonly string[] =>
  [...text.matchAll(secretPlaceholder)].map(([, name = '']) => name);

export type FilledSecrets = {
  /** As many as there were texts, in their order. */
  readonly values: readonly string[];
  readonly mask: SecretMask;
};

/** The texts with their secrets; undefined when `valueOf` has not each of them. */
export const fillSecrets = (
  texts: readonly string[],
  valueOf: (name: string) => string | undefined,
): FilledSecrets | undefined => {
  const used = new Set<string>();
  let isComplete = true;
  const fill = (text: string): string =>
    text.replaceAll(secretPlaceholder, (_, name: string) => {
      const value = valueOf(name);
      if (value === undefined) isComplete = false;
      else used.add(value);
      return value ?? '';
    });
  const values = texts.map(fill);
  return isComplete ? { values, mask: createSecretMask([...used]) } : undefined;
};

export type SecretMask = {
  readonly text: (text: string) => string;
  /** Names and values of a JSON value. */
  readonly value: (value: unknown) => unknown;
  /** How many characters at the end of a masked text may be the beginning of a secret that goes on. */
  readonly openEnd: (text: string) => number;
};

/** Replaces every secret, also as it stands in an address, in JSON and in Base64, which is how a foreign system may show it. */
export const createSecretMask = (secrets: readonly string[]): SecretMask => {
  // The longest first: one may be the beginning of another.
  const forms = [...new Set(secrets.flatMap(encodedForms))].sort((left, right) => right.length - left.length);
  const text = (given: string): string => forms.reduce((rest, form) => rest.replaceAll(form, maskText), given);
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (typeof given === 'number') return forms.some((form) => String(given).includes(form)) ? maskText : given;
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, member]) => [text(name), value(member)]));
  };
  return {
    text,
    value: forms.length === 0 ? (given) => given : value,
    openEnd: (given) => Math.max(0, ...forms.map((form) => partialFormLength(given, form))),
  };
};

/** The longest end of the text that is a beginning of the form. */
const partialFormLength = (text: string, form: string): number => {
  const first = form.slice(0, 1);
  let start = text.indexOf(first, Math.max(0, text.length - form.length + 1));
  while (start >= 0 && !form.startsWith(text.slice(start))) start = text.indexOf(first, start + 1);
  return start < 0 ? 0 : text.length - start;
};

const encodedForms = (secret: string): readonly string[] => {
  const encoded = encodeURIComponent(secret);
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), encoded, encoded.replaceAll('%20', '+')],
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...[0, 1, 2].flatMap((before) => inBase64(secret, before)),
  ];
};

/** Of three bytes four characters are made: what it looks like behind so many others, up to what depends on its neighbours. */
const inBase64 = (secret: string, before: number): readonly string[] => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const whole = Math.floor((bytes.length * 8) / 6);
  return (['base64', 'base64url'] as const).flatMap((form) => {
    const text = bytes.toString(form).replaceAll('=', '');
    const start = Math.ceil((before * 8) / 6);
    return [text.slice(start), text.slice(start, whole)];
  });
};
