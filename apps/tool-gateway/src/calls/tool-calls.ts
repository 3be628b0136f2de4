/**
 * Every call of a tool, through whatever door: check the scope, count the quota, check the arguments, run, check the result,
 * log.
 */
import { Logger } from '@nestjs/common';
import { canonicalDigest, hasMoreValuesThan, isIgnoredName } from '@tessera/contracts';
import type { CallDoor } from '@tessera/contracts/tool-gateway';
import { fail, type Fault, maxFaults, type Result, succeed } from '@tessera/failures';
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import {
  findValidationErrors,
  isTooCostlyToValidate,
  notAnObjectFault,
  toSchemaFaults,
  getValidator,
  findValueFaults,
  withMatchStepLimit,
  withoutIneffectiveMembers,
} from '@tessera/json-schema';
import { EffectRefusedError } from '@tessera/messaging';
import { raceWithAbort } from '@tessera/outgoing-http';
import { toOutageFailure, type Pool } from '@tessera/persistence';
import type { RateLimiter } from '@tessera/rate-limit';
import { createTimeOrderedId } from '@tessera/service-kit';
import { type CallLog, type CallRow, endCall } from './call-log.repository.js';
import type { AssetView } from '../tools/asset-tools.js';
import { isObject, type JsonObject, type Tool, type ToolContext, type ToolResult } from '../tools/tool.js';

type ToolCallRequest = {
  readonly view: AssetView;
  readonly tool: Tool;
  readonly door: CallDoor;
  /** As they came; undefined stands for none. */
  readonly arguments: unknown;
};

/** The context of the operation that brought the call. */
export type ToolCallContext = ToolContext & {
  /** See `AnnouncingContext`. */
  readonly announceEffect: () => Promise<void>;
};

/** What one call has beside the operation that brought it. */
export type CallOptions = Pick<ToolContext, 'progress' | 'wantsEvidence'>;

/** The context itself when there are none: its signal is made when somebody asks for it. */
export const withCallOptions = (context: ToolCallContext, options: CallOptions): ToolCallContext => {
  if (options.progress === undefined && options.wantsEvidence !== true) return context;
  const { caller, requestId, traceparent, deadlineMs, publicUrl, signal } = context;
  const frame = { caller, requestId, ...(traceparent !== undefined && { traceparent }), deadlineMs, publicUrl };
  return { ...frame, signal, announceEffect: () => context.announceEffect(), ...options };
};

type ToolCallsOptions = {
  /** Where calls that are logged before they end are ended. */
  readonly pool: Pool;
  readonly log: Pick<CallLog, 'add' | 'defer'>;
  readonly limiter: Pick<RateLimiter, 'meterOf' | 'admit'>;
  readonly recordDuration: (seconds: number, kind: string, outcome: string) => void;
};

/** A call under way: what the log will say of it, and since when it runs. */
type Call = ToolCallRequest & {
  readonly context: ToolCallContext;
  readonly startedMs: number;
  readonly row: Omit<CallRow, 'outcome' | 'durationUs'>;
  /** Its row is there: an effect may have begun. */
  isLogged: boolean;
};

/** Calls that run at once in a process, those of one team, those kept for teams without any, and those of one team that wait. */
const concurrentCalls = { total: 256, perTeam: 24, reserved: 24, waiting: 1_000 };
/** How long a call waits for others of its team. */
const waitMs = 10_000;

export class ToolCalls {
  readonly #logger = new Logger('ToolCalls');
  /** Keys are teams. */
  readonly #queue = new KeyedQueue({
    limit: concurrentCalls.total,
    limitPerKey: concurrentCalls.perTeam,
    reserve: concurrentCalls.reserved,
    waitingPerKeyMax: concurrentCalls.waiting,
  });

  constructor(private readonly options: ToolCallsOptions) {}

  /** Failures: those of `toolCallFailureCodes`, ADMIN_ACCESS_ERROR, SERVICE_UNAVAILABLE, ADMIN_FATAL_ERROR. */
  async call(request: ToolCallRequest, context: ToolCallContext): Promise<Result<ToolResult>> {
    const call = startCall(request, context);
    const result = await this.#performQueued(call).catch((error: unknown) => this.#failureOf(call, error));
    return this.#logEnd(call, result);
  }

  async #performQueued(call: Call): Promise<Result<ToolResult>> {
    const { caller, signal } = call.context;
    const release = await this.#queue.acquire(caller.team, { signal, timeoutMs: waitMs });
    try {
      return await this.#perform(call);
    } finally {
      release();
    }
  }

  async #perform(call: Call): Promise<Result<ToolResult>> {
    const { tool, context } = call;
    const refused = missingScope(call) ?? (await this.#overLimit(call));
    if (refused) return refused;
    const checked = checkArguments(tool, call.arguments);
    if (!checked.ok) return checked;
    if (!tool.isReadOnly) {
      await this.options.log.add(context.caller.team, { ...call.row, outcome: 'running' });
      call.isLogged = true;
      await context.announceEffect();
    }
    return this.#run(call, checked.value);
  }

  async #run(call: Call, fitting: JsonObject): Promise<Result<ToolResult>> {
    const { tool, context } = call;
    const result = await failOnTimeout(tool.run(fitting, context), context);
    if (!result.ok) return result;
    const faults = resultFaults(tool, result.value);
    if (faults.length === 0) return result;
    const { assetId } = call.view.asset;
    // The log must not show what the answer says.
    const described = faults.slice(0, 5).map(({ path, rule }) => `${path}: ${rule}`);
    this.#logger.warn(`The result of ${tool.id} of ${assetId} does not fit its output schema: ${described.join('; ')}`);
    return fail('TOOL_RESULT_INVALID', `What the tool ${tool.id} answered does not fit its output schema.`);
  }

  /** One of the calls of the running minute, or none. */
  async #overLimit({ view, context }: Call): Promise<Result<never> | undefined> {
    const { assetId, callsPerMinute } = view.asset;
    const { limiter } = this.options;
    const meter = limiter.meterOf({ team: context.caller.team, subject: assetId, limit: callsPerMinute });
    const remaining = limiter.admit(meter);
    if ((typeof remaining === 'number' ? remaining : await remaining) >= 0) return undefined;
    return fail('LIMIT_ASSET_EXCEEDED', `The limit of ${callsPerMinute} calls a minute of ${assetId} is used up.`, {
      retryAfterSeconds: meter.retryAfterSeconds(Date.now()),
    });
  }

  #failureOf(call: Call, error: unknown): Result<never> {
    if (error instanceof EffectRefusedError) return callerLostFailure;
    if (error instanceof QueueRefusal) return tooManyCalls;
    const failure = toOutageFailure(error);
    if (failure) return { ok: false, failure };
    this.#logger.error(`The tool ${call.tool.id} failed by a bug.`, error);
    return fail('ADMIN_FATAL_ERROR', `The tool ${call.tool.id} failed by a fault of the server; it has been logged.`);
  }

  /**
   * The row of a call that reads our own data is written after the answer, any other before it. What had an effect is answered
   * all the same: it must not be done again.
   */
  async #logEnd(call: Call, result: Result<ToolResult>): Promise<Result<ToolResult>> {
    const outcome = result.ok ? 'ok' : result.failure.code;
    const durationMs = performance.now() - call.startedMs;
    const { team } = call.context.caller;
    const row = { ...call.row, outcome, durationUs: Math.round(durationMs * 1000) };
    const { pool, log, recordDuration } = this.options;
    const { kind } = call.view.sourceOf(call.tool);
    recordDuration(durationMs / 1000, kind, outcome);
    try {
      if (call.isLogged) await endCall(pool, team, row);
      else if (call.tool.isReadOnly && kind !== 'http-request') await log.defer(team, row);
      else await log.add(team, row);
      return result;
    } catch (error) {
      this.#logger.error(`The call ${row.callId} could not be logged.`, error);
      return call.isLogged ? result : notLoggedFailure;
    }
  }
}

const startCall = (request: ToolCallRequest, context: ToolCallContext): Call => {
  const { assetId, version, digest } = request.view.asset;
  return {
    ...request,
    context,
    startedMs: performance.now(),
    isLogged: false,
    row: {
      callId: createTimeOrderedId(),
      subject: context.caller.subject,
      door: request.door,
      assetId,
      version: String(version),
      digest,
      toolId: request.tool.id,
      argumentsDigest: digestOf(request.arguments),
      requestId: context.requestId,
    },
  };
};

/** Of null where there are more values than any tool takes; no right call has that one. */
const digestOf = (given: unknown): string => canonicalDigest(hasTooManyArguments(given) ? null : (given ?? {}));

/** What the data of the tool needs; its owner asks for it again. */
const missingScope = ({ view, tool, context }: Call): Result<never> | undefined => {
  const { scope } = view.sourceOf(tool);
  return scope === undefined || context.caller.scopes.includes(scope)
    ? undefined
    : fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${scope}, which the tool ${tool.id} needs.`);
};

const callerLostFailure = fail('SERVICE_UNAVAILABLE', 'The call lost its caller before its effect began.', {
  retryAfterSeconds: 1,
});
const tooManyCalls = fail(
  'SERVICE_UNAVAILABLE',
  'The team has as many tool calls running as may run at once; send fewer at the same time.',
  { retryAfterSeconds: 1 },
);
const notLoggedFailure = fail('SERVICE_UNAVAILABLE', 'The call could not be logged, so it is not answered.', {
  retryAfterSeconds: 1,
});

/** The result, or a failure once the call is aborted. The tool gets the same `signal`. */
export const failOnTimeout = async (
  running: Promise<Result<ToolResult>>,
  { signal }: Pick<ToolContext, 'signal'>,
): Promise<Result<ToolResult>> => (await raceWithAbort(running, signal)) ?? timeoutFailure;

const timeoutFailure = fail('SERVICE_UNAVAILABLE', 'The tool did not answer in time.', { retryAfterSeconds: 1 });

/** Lists, objects and what is in them. More would hold up the event loop by digest and check. */
const valuesMax = 12_000;
/** Some 30 ms, and as long again for what is wrong. */
const stepsMax = 150_000;

const hasTooManyArguments = (given: unknown): boolean => hasMoreValuesThan(given, valuesMax);

/** The arguments as the tool takes them; what came stays as it came. Failure: TOOL_ARGUMENTS_INVALID. */
export const checkArguments = (tool: Tool, given: unknown): Result<JsonObject> => {
  const members = given ?? {};
  if (!isObject(members)) return invalidArguments([notAnObjectFault]);
  if (hasTooManyArguments(given)) return invalidArguments([tooManyArguments]);
  const { argumentsSchema, inputSchema } = tool;
  if (argumentsSchema === undefined && isTooCostlyToValidate(inputSchema, members, stepsMax))
    return invalidArguments([tooManyValues]);
  const check = (each: JsonObject): Result<JsonObject> =>
    argumentsSchema === undefined
      ? withMatchStepLimit(() => fillArguments(inputSchema, each))
      : checkShape(argumentsSchema, inputSchema, each);
  const checked = check(members);
  if (checked.ok) return checked;
  const schema = argumentsSchema ?? inputSchema;
  const effective = withMatchStepLimit(() => withoutIneffectiveMembers(schema, members, isIgnoredName));
  return effective === undefined ? checked : check(effective);
};

const tooManyArguments: Fault = {
  ...{ in: 'body', path: '', rule: 'size' },
  message: `expected at most ${valuesMax.toLocaleString('en')} values in all, those of inner lists and objects counted`,
};

const tooManyValues: Fault = {
  ...{ in: 'body', path: '', rule: 'size' },
  message: 'expected fewer values; the schema has too many alternatives for so many',
};

/** As a copy with standards filled in. */
const fillArguments = (schema: JsonObject, given: JsonObject): Result<JsonObject> => {
  const filled = structuredClone(given);
  const validate = getValidator(schema, 'filling');
  if (validate(filled)) return succeed(filled);
  const errors = findValidationErrors(schema, given);
  return invalidArguments(toSchemaFaults(errors.length > 0 ? errors : (validate.errors ?? [])));
};

/** The owner of the data fills in defaults and checks names. */
const checkShape = (shape: JsonObject, listed: JsonObject, given: JsonObject): Result<JsonObject> => {
  if (getValidator(shape, 'judging')(given)) return succeed(given);
  const errors = findValidationErrors(listed, given);
  return invalidArguments(toSchemaFaults(errors.length > 0 ? errors : findValidationErrors(shape, given)));
};

const invalidArguments = (faults: readonly Fault[]): Result<never> =>
  fail(
    'TOOL_ARGUMENTS_INVALID',
    faults.length === 1
      ? 'An argument does not fit.'
      : faults.length > maxFaults
        ? ''
        : `${faults.length} arguments do not fit.`,
    { faults },
  );

/** What does not fit in a result, for the log; nothing when it fits, or comes from a service of the platform. */
const resultFaults = ({ outputSchema }: Tool, { value, bytes }: ToolResult): readonly Fault[] =>
  outputSchema === undefined || bytes !== undefined ? [] : findValueFaults(outputSchema, value);
