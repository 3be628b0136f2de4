/**
 * The process of the columnar engine as the service sees it: started when it is needed, ended when nothing was asked for a while,
 * and started again after it ended by itself, with growing pauses. What runs when it ends is rejected. It gets nothing of the
 * service's environment.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  isEngineReply,
  type EngineCommand,
  type EngineOptions,
  type EngineReply,
  type EngineResult,
  type FailureReason,
  type ResultColumns,
} from './engine/engine-messages.js';

/** `ended`: its process went, or may not be started yet. The message is that of the engine and may hold values. */
export class EngineFailure extends Error {
  constructor(
    readonly reason: FailureReason | 'timeout' | 'ended',
    message: string = reason,
  ) {
    super(message);
    this.name = 'EngineFailure';
  }
}

/** What runs the process: Node with these parameters. */
export type EngineProgram = { readonly path: string; readonly parameters: readonly string[] };

export type EngineProcessOptions = EngineOptions & {
  /** Statements that run at once. */
  readonly concurrency: number;
  /** Told when it ended by itself, with what it said at last. */
  readonly onEnd: (how: string) => void;
  readonly program?: EngineProgram;
  /** It ends when nothing was asked for so long. */
  readonly idleMs?: number;
};

export type RunOptions = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onRows?: (columns: ResultColumns) => void;
};

type PendingCommand = {
  readonly onRows: ((columns: ResultColumns) => void) | undefined;
  readonly settled: PromiseWithResolvers<EngineResult>;
};

type RunningProcess = {
  readonly child: ChildProcess;
  readonly version: PromiseWithResolvers<string>;
  readonly ended: Promise<void>;
  readonly pending: Map<number, PendingCommand>;
  /** Whether the service ends it. */
  isEnded: boolean;
};

const ownProgram: EngineProgram = {
  path: fileURLToPath(new URL('engine/main.js', import.meta.url)),
  // Its heap holds little: rows are in DuckDB's memory.
  parameters: ['--max-old-space-size=128', '--max-semi-space-size=2'],
};

const pauseMinMs = 250;
const pauseMaxMs = 30_000;
/** An interrupt takes some 2 ms, far longer on a busy machine; who does not hear one is ended. */
const interruptMs = 10_000;
const lastWordsLength = 2_000;
/** Of its memory nothing is left then; a start takes some 200 ms. */
const usualIdleMs = 60_000;

export class EngineProcess {
  #running: RunningProcess | undefined;
  #lastId = 0;
  #failures = 0;
  #notBeforeMs = 0;
  #isStopped = false;
  #starts = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: EngineProcessOptions) {}

  /** How often it was started. */
  get starts(): number {
    return this.#starts;
  }

  /** Of the process that runs; undefined when none does. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  /** The version of the engine. Rejects with `EngineFailure`. */
  async version(): Promise<string> {
    return this.#start().version.promise;
  }

  /** Bytes of the process in memory; 0 when none runs. */
  async memoryBytes(): Promise<number> {
    if (!this.#running) return 0;
    const options = { signal: new AbortController().signal, timeoutMs: interruptMs };
    return (await this.run({ kind: 'memory' }, options)).bytes ?? 0;
  }

  /**
   * Settles when the engine has ended the command. Rejects with `EngineFailure`, or with the reason of the signal when it was
   * aborted.
   */
  async run(command: EngineCommand, { signal, timeoutMs, onRows }: RunOptions): Promise<EngineResult> {
    signal.throwIfAborted();
    const running = this.#start();
    const id = (this.#lastId += 1);
    const settled = Promise.withResolvers<EngineResult>();
    // Before anything is awaited: a process with something to do is not idle.
    running.pending.set(id, { onRows, settled });
    settled.promise.catch(() => undefined);
    let isLate = false;
    let hopeless: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      running.child.send({ id, kind: 'cancel' }, undefined, undefined, ignoreFailure);
      hopeless ??= setTimeout(() => running.child.kill('SIGKILL'), interruptMs);
    };
    const timer = setTimeout(() => {
      isLate = true;
      cancel();
    }, timeoutMs);
    signal.addEventListener('abort', cancel);
    try {
      await running.version.promise;
      running.child.send({ ...command, id }, undefined, undefined, ignoreFailure);
      if (signal.aborted || isLate) cancel();
      return await settled.promise;
    } catch (error) {
      signal.throwIfAborted();
      throw isLate ? new EngineFailure('timeout') : error;
    } finally {
      clearTimeout(timer);
      clearTimeout(hopeless);
      signal.removeEventListener('abort', cancel);
      running.pending.delete(id);
      // Who looks at its memory needs nothing of it.
      if (command.kind !== 'memory') this.#endWhenIdle();
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const running = this.#running;
      if (running && running.pending.size > 0) return this.#endWhenIdle();
      // From now on it is not asked any more.
      this.#running = undefined;
      if (running) end(running);
    }, this.options.idleMs ?? usualIdleMs).unref();
  }

  /** Ends it for good; what runs is rejected. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    const running = this.#running;
    if (!running) return;
    end(running);
    await running.ended;
  }

  #start(): RunningProcess {
    if (this.#running) return this.#running;
    if (this.#isStopped) throw new EngineFailure('ended', 'The service stops.');
    if (performance.now() < this.#notBeforeMs) throw new EngineFailure('ended', 'The engine ended a moment ago.');
    const { concurrency, onEnd, program = ownProgram } = this.options;
    const { temporaryFolder, memoryBytes, temporaryBytes, databasesMax, threads } = this.options;
    const forEngine: EngineOptions = { temporaryFolder, memoryBytes, temporaryBytes, databasesMax, threads };
    this.#starts += 1;
    const child = fork(program.path, [JSON.stringify(forEngine)], {
      execArgv: [...program.parameters],
      // More arenas of memory would only keep more of what is free.
      env: { TZ: 'UTC', MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: String(concurrency + 2) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const version = Promise.withResolvers<string>();
    version.promise.catch(() => undefined);
    const pending: RunningProcess['pending'] = new Map();
    const ended = endOf(child).then((how) => {
      if (this.#running === running) this.#running = undefined;
      const failure = new EngineFailure('ended', how);
      version.reject(failure);
      for (const { settled } of pending.values()) settled.reject(failure);
      if (running.isEnded) return;
      this.#notBeforeMs = performance.now() + Math.min(pauseMinMs * 2 ** this.#failures, pauseMaxMs);
      this.#failures += 1;
      onEnd(how);
    });
    const running: RunningProcess = { child, version, ended, pending, isEnded: false };
    child.on('message', (message) => {
      if (isEngineReply(message)) this.#take(message, running);
    });
    this.#running = running;
    this.#endWhenIdle();
    return running;
  }

  #take(reply: EngineReply, { version, pending }: RunningProcess): void {
    if (reply.kind === 'ready') return version.resolve(reply.version);
    const command = pending.get(reply.id);
    switch (reply.kind) {
      case 'rows':
        return command?.onRows?.(reply.columns);
      case 'done':
        this.#failures = 0;
        return command?.settled.resolve(reply.result);
      case 'failed':
        return command?.settled.reject(new EngineFailure(reply.reason, reply.message));
    }
  }
}

/** Nothing of it has to be kept, so it is not asked. */
const end = (running: RunningProcess): void => {
  Object.assign(running, { isEnded: true });
  running.child.kill('SIGKILL');
};

/** What cannot be sent ends with the process, which tells everybody. */
const ignoreFailure = (): void => undefined;

/** How it ended, and what it said at last. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    child.stderr?.on('data', (piece: Buffer) => {
      said = (said + piece.toString('utf8')).slice(-lastWordsLength);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve([signal ?? `exit code ${code ?? 'unknown'}`, said.trim()].filter((part) => part !== '').join(': ')),
    );
  });
