/** A refusal of the gateway as its body says it, whatever stands in the body. Refuses: to trust that it is a Problem. */
import { z } from 'zod';
import type { Problem } from './refusal.js';

const Fault = z.object({
  in: z.string(),
  path: z.string(),
  message: z.string(),
  position: z.int().exactOptional(),
});

const ProblemBody = z.object({
  title: z.string(),
  detail: z.string(),
  next: z.string().optional().catch(undefined),
  faults: z.array(Fault).catch([]).default([]),
});

export const readProblem = async (response: Response): Promise<Problem> => {
  const parsed = ProblemBody.safeParse(await bodyOf(response));
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  const { title, detail, next, faults } = parsed.success
    ? parsed.data
    : { title: `Status ${response.status}`, detail: 'the answer says no more.', next: undefined, faults: [] };
  return {
    status: response.status,
    title,
    detail,
    faults,
    ...(next !== undefined && { next }),
    ...(requestId !== null && { requestId }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
};

const bodyOf = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
};
