import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callWithHead } from '../../api/call.js';

export type ToolTarget = { readonly assetId: string; readonly toolId: string; readonly isDraft: boolean };

export type ToolAnswer = {
  readonly arguments: unknown;
  readonly value: unknown;
  readonly requestId: string | undefined;
  readonly durationMs: number;
};

/** Calls a tool with its arguments; the log of calls is asked for anew afterwards, also when the call failed. */
export const useToolCall = ({ assetId, toolId, isDraft }: ToolTarget) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (toolArguments: unknown): Promise<ToolAnswer> => {
      const startedMs = performance.now();
      const { value, head } = await callWithHead('callTool', {
        ...{ asset_id: assetId, tool_id: toolId, arguments: toolArguments },
        ...(isDraft && { draft: true }),
      });
      return { arguments: toolArguments, value, requestId: head.requestId, durationMs: performance.now() - startedMs };
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['listOwnCalls'] }),
  });
};
