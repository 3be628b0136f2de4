/** Text that PostgreSQL can keep: no NUL, no half of a surrogate pair. Refuses: more than `charactersMax`. */
import { z } from 'zod';

export const storableText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => value.isWellFormed() && !value.includes('\u0000'), 'holds a character that cannot be stored');
