/** Reads the body of an error answer without trusting that it is a Problem. */
import { z } from 'zod';
import type { Problem } from './request-failure.js';

const Fault = z.object({
  in: z.string(),
  path: z.string(),
  message: z.string(),
  rule: z.string().exactOptional(),
  position: z.int().exactOptional(),
});

const ProblemBody = z.object({
  title: z.string(),
  detail: z.string(),
  status: z.int().optional().catch(undefined),
  next: z.string().optional().catch(undefined),
  faults: z.array(Fault).catch([]).default([]),
});

export const readProblem = async (response: Response): Promise<Problem> => {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  return {
    ...parseProblem(await bodyOf(response), response.status),
    status: response.status,
    ...(requestId !== null && { requestId }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
};

/** `otherwise` is the status of a body that names none. */
export const parseProblem = (body: unknown, otherwise = 500): Problem => {
  const parsed = ProblemBody.safeParse(body);
  if (!parsed.success)
    return { status: otherwise, title: `Status ${otherwise}`, detail: 'the answer says no more.', faults: [] };
  const { status = otherwise, title, detail, next, faults } = parsed.data;
  return { status, title, detail, faults, ...(next !== undefined && { next }) };
};

const bodyOf = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
};
