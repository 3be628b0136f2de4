/** Text that LIKE takes literally: its wildcards and the escape character itself are escaped by a backslash. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
