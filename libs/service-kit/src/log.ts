/**
 * The log of a service: one JSON line per event on standard output, with the ids of request and trace; Nest logs the same way.
 * Never writes secrets or what errors quote of a caller, and never blocks the event loop on a slow reader.
 */
import type { LoggerService } from '@nestjs/common';
import { getStackFrames, toLoggableError } from '@tessera/failures';
import { getCurrentRequestScope, traceIdsOf } from '@tessera/messaging';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { logLevels } from './configuration.js';

export type Log = Logger;

export type LogOutput = DestinationStream & { flushSync?: () => void };

export type LogHandle = {
  readonly log: Log;
  /** Writes what is buffered; for the last lines of a process. */
  readonly flush: () => void;
};

/** Opens the log; `output` replaces standard output in tests. */
export const openLog = (service: string, level: (typeof logLevels)[number], output?: LogOutput): LogHandle => {
  const stream: LogOutput = output ?? destination({ fd: 1, sync: false });
  const log = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: idsOfRequest,
      serializers: { err: (error: unknown) => toLoggableError(error) },
      hooks: { streamWrite: redactSecrets },
    },
    stream,
  );
  const flush = () => {
    try {
      stream.flushSync?.();
    } catch {
      // The output is closed or was never opened: there is nobody left to tell.
    }
  };
  return { log, flush };
};

const idsOfRequest = (): object => {
  const request = getCurrentRequestScope();
  if (request === undefined) return {};
  const { traceparent, ...ids } = request;
  return traceparent === undefined ? ids : { ...ids, ...traceIdsOf(traceparent) };
};

/** Contexts in which Nest tells how it builds itself; of use only when it does not. */
const startupContexts = new Set([
  'InstanceLoader',
  'NestFactory',
  'RoutesResolver',
  'RouterExplorer',
  'NestMicroservice',
  'NestApplication',
]);

/** Nest's logger on top of ours: the last parameter is the context, the one before it an error or the stack of one. */
export const createNestLogger = (log: Log): LoggerService => {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...more: unknown[]) => {
      const context = more.at(-1);
      const thrown = more.length > 1 ? more[0] : undefined;
      const isStack = typeof thrown === 'string';
      const fields = {
        ...(typeof context === 'string' ? { context } : {}),
        ...(isStack ? { stack: getStackFrames(thrown) } : {}),
        ...(message instanceof Error ? { err: message } : {}),
        ...(thrown !== undefined && !isStack ? { err: thrown } : {}),
      };
      const quiet = level === 'info' && typeof context === 'string' && startupContexts.has(context);
      // Beside a stack the message is that of the error.
      log[quiet ? 'debug' : level](fields, isStack || message instanceof Error ? 'an error' : String(message));
    };
  return {
    log: at('info'),
    error: at('error'),
    warn: at('warn'),
    debug: at('debug'),
    verbose: at('debug'),
    fatal: at('fatal'),
  };
};

const secretWords =
  'authorization|proxy-authorization|app-?key|x-api-key|api-?key|cookie|set-cookie|password|passwd|secret|token';
const secretMemberPattern = new RegExp(
  `("[^"\\\\]{0,40}(?:${secretWords})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]|-?\\d+)`,
  'gi',
);
const apiKeyPattern = /tsk_[A-Za-z0-9_-]+/g;
const tokenPattern = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g;
const urlPasswordPattern = /(:\/\/[^:/@\s"]{1,100}:)[^@/\s"]{1,200}@/g;

const replacement = '[redacted]';

/**
 * Takes secrets out of a finished log line, wherever in it they are: values of telling members, API keys, JWTs and
 * passwords in addresses. Nobody is trusted to log with care.
 */
export const redactSecrets = (line: string): string =>
  line
    .replace(secretMemberPattern, `$1"${replacement}"`)
    .replace(apiKeyPattern, replacement)
    .replace(tokenPattern, replacement)
    .replace(urlPasswordPattern, `$1${replacement}@`);
