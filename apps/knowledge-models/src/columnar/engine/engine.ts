/** Works off the commands of the service, several at once; each may be cancelled. */
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  failureReasonOf,
  type AskCommand,
  type EngineOptions,
  type EngineReply,
  type EngineRequest,
  type EngineResult,
  type FailureReason,
} from './engine-messages.js';
import { digestOf, makeFile } from './make-file.js';
import { TeamDatabases } from './team-databases.js';

class CommandFailure extends Error {
  constructor(readonly reason: FailureReason) {
    super(reason);
  }
}

type RunningCommand = { connection: DuckDBConnection | undefined; isCancelled: boolean };

export class Engine {
  readonly #databases: TeamDatabases;
  readonly #running = new Map<number, RunningCommand>();

  constructor(
    private readonly options: EngineOptions,
    private readonly reply: (reply: EngineReply) => void,
  ) {
    this.#databases = new TeamDatabases(options);
  }

  /** Never rejects: what goes wrong is a reply. */
  async handle(request: EngineRequest): Promise<void> {
    const { id } = request;
    if (request.kind === 'cancel') return this.#cancel(id);
    const running: RunningCommand = { connection: undefined, isCancelled: false };
    this.#running.set(id, running);
    try {
      this.reply({ kind: 'done', id, result: await this.#run(request, running) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = error instanceof CommandFailure ? error.reason : failureReasonOf(message);
      this.reply({ kind: 'failed', id, reason: running.isCancelled ? 'cancelled' : reason, message });
    } finally {
      this.#running.delete(id);
    }
  }

  #cancel(id: number): void {
    const running = this.#running.get(id);
    if (!running) return;
    running.isCancelled = true;
    running.connection?.interrupt();
  }

  async #run(
    request: Exclude<EngineRequest, { readonly kind: 'cancel' }>,
    running: RunningCommand,
  ): Promise<EngineResult> {
    switch (request.kind) {
      case 'ask':
        await this.#databases.use(request.team, request.files, (connection) => this.#ask(request, connection, running));
        return {};
      case 'make':
        return { made: await makeFile(request, this.options, (connection) => connect(running, connection)) };
      case 'digest':
        return { digest: await digestOf(request.path) };
      case 'memory':
        return { bytes: process.memoryUsage.rss() };
    }
  }

  async #ask(
    { id, text, values, rowsMax, charactersMax }: AskCommand & { readonly id: number },
    connection: DuckDBConnection,
    running: RunningCommand,
  ): Promise<void> {
    connect(running, connection);
    const prepared = await connection.prepare(text);
    values.forEach((value, place) => prepared.bindVarchar(place + 1, value));
    const result = await prepared.stream();
    let [rows, characters] = [0, 0];
    for (;;) {
      const chunk = await result.fetchChunk();
      if (running.isCancelled) throw new CommandFailure('cancelled');
      if (!chunk || chunk.rowCount === 0) return;
      const columns = chunk.getColumns().map((column) => column.map((cell) => (cell === null ? null : String(cell))));
      rows += chunk.rowCount;
      characters += columns.reduce((sum, cells) => cells.reduce((all, cell) => all + (cell?.length ?? 0), sum), 0);
      if (rows > rowsMax || characters > charactersMax) throw new CommandFailure('too-many-groups');
      this.reply({ kind: 'rows', id, columns });
    }
  }
}

/** One that was cancelled before has nothing to interrupt yet. */
const connect = (running: RunningCommand, connection: DuckDBConnection): void => {
  if (running.isCancelled) throw new CommandFailure('cancelled');
  Object.assign(running, { connection });
};
