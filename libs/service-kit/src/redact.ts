/**
 * Takes secrets out of a finished log line, wherever in it they are: values of telling members, API keys, JWTs and
 * passwords in addresses. Refuses: to trust that callers log with care.
 */
const words =
  'authorization|proxy-authorization|app-?key|x-api-key|api-?key|cookie|set-cookie|password|passwd|secret|token';
const members = new RegExp(`("[^"\\\\]{0,40}(?:${words})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]|-?\\d+)`, 'gi');
const keys = /tsk_[A-Za-z0-9_-]+/g;
const tokens = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g;
const passwords = /(:\/\/[^:/@\s"]{1,100}:)[^@/\s"]{1,200}@/g;

const replacement = '[redacted]';

export const redact = (line: string): string =>
  line
    .replace(members, `$1"${replacement}"`)
    .replace(keys, replacement)
    .replace(tokens, replacement)
    .replace(passwords, `$1${replacement}@`);
