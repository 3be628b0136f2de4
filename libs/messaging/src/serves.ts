/**
 * `@Serves(operation)`: a method of a Nest controller answers an operation. Guards, interceptors and filters of Nest apply. A
 * handler with other types than the operation's does not compile.
 */
import { Catch, UseFilters, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Ctx, MessagePattern, Payload, RpcException } from '@nestjs/microservices';
import {
  operationSubjectOf,
  type ByteReply,
  type CallFrame,
  type Operation,
  type ReplyOf,
  type RequestOf,
} from '@tessera/contracts';
import { fail, type Result } from '@tessera/failures';
import { of, throwError, type Observable } from 'rxjs';
import { EffectRefusedError } from './announcements.js';

/** What a handler knows beside its request. `signal` aborts at the deadline and when the caller has left. */
export type OperationContext = CallFrame & { readonly signal: AbortSignal };

/** What the handler of an `announced` operation has beside that. */
export type AnnouncingContext = OperationContext & {
  /**
   * To be awaited before an effect begins: the caller knows then, and its client does not send the call again. Rejects
   * (EffectRefusedError) when the caller is not there any more; then the effect must not begin.
   */
  readonly announceEffect: () => Promise<void>;
};

/** What is answered as bytes is taken for the reply as it is. */
export type OperationHandler<O extends Operation> = (
  request: RequestOf<O>,
  context: AnnouncingContext,
) => Promise<Result<ReplyOf<O> | ByteReply>>;

const servedBySubject = new Map<string, Operation>();

/** The operation that a subject stands for, when a handler of this process serves it. */
export const findServedOperation = (subject: string): Operation | undefined => servedBySubject.get(subject);

export const internalFailure = fail('ADMIN_FATAL_ERROR', 'Something went wrong that should not; it has been logged.');

const effectRefused = fail('SERVICE_UNAVAILABLE', 'The call lost its caller before its effect began.', {
  retryAfterSeconds: 1,
});

/** What Nest and messaging themselves throw is a failure; errors of handlers go on as they are to `NatsOperations`, which knows outages. */
@Catch()
export class UncaughtExceptionFilter implements ExceptionFilter {
  catch(thrown: unknown, _host: ArgumentsHost): Observable<Result<never>> {
    if (thrown instanceof EffectRefusedError) return of(effectRefused);
    if (thrown instanceof RpcException) return of(fail('ADMIN_ACCESS_ERROR', 'The caller may not do this.'));
    return throwError(() => thrown);
  }
}

export const Serves =
  <O extends Operation>(operation: O) =>
  <H extends OperationHandler<O>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const subject = operationSubjectOf(operation);
    servedBySubject.set(subject, operation);
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    UseFilters(UncaughtExceptionFilter)(target, key, descriptor);
    MessagePattern(subject)(target, key, descriptor);
  };
