/** The tool gateway for specs: records calls, answers as set, requires scopes. */
import { canCall, type CallFrame, type Operation } from '@tessera/contracts';
import { listTools, listToolNames, callToolForAgent } from '@tessera/contracts/tool-gateway';
import { fail, succeed, type Result } from '@tessera/failures';
import { createJsonReply, type OperationClient } from '@tessera/messaging';

type ReceivedCall = {
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly frame: CallFrame;
};
type Answer = (calls: ReceivedCall, signal: AbortSignal | undefined) => Result<unknown> | Promise<Result<unknown>>;

export type TestToolGateway = Pick<OperationClient, 'call'> & {
  readonly calls: ReceivedCall[];
  /** What the operation answers from now on. */
  readonly answer: (operation: Operation, answer: Answer) => void;
};

const tool = (name: string, isReadOnly: boolean) => ({
  ...{ name, title: name, description: `Does ${name}.`, isReadOnly },
  inputSchema: { type: 'object', properties: {} },
});

export const createTestToolGateway = (): TestToolGateway => {
  const calls: ReceivedCall[] = [];
  const tools = [tool('load-data', true), tool('block-invoice', false)];
  const names = [{ id: 'p2p', tools: tools.map(({ name }) => name) }];
  const answers = new Map<string, Answer>([
    [listToolNames.name, () => succeed({ published: names, drafts: [] })],
    [listTools.name, () => succeed({ name: 'p2p', version: '1', tools })],
    [callToolForAgent.name, ({ request }) => succeed({ tool: request['tool_id'], total: 1 })],
  ]);
  return {
    calls,
    answer: (operation, answer) => void answers.set(operation.name, answer),
    call: async (operation, request, frame, signal) => {
      const question = { operation: operation.name, request, frame };
      calls.push(question);
      if (!canCall(frame.caller, operation))
        return fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${operation.scope}.`);
      const result = await answers.get(operation.name)?.(question, signal);
      if (!result) throw new Error(`nobody answers ${operation.name}`);
      return result.ok ? createJsonReply(result.value) : result;
    },
  };
};
