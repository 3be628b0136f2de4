/**
 * A record of evidence with the documents of its KPIs: these are content, found by what was released at the instant of the question,
 * for readers who may read content. A content repository that is away takes no record with it.
 */
import { Injectable } from '@nestjs/common';
import { canCall, type CallFrame, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { findDocumentsOfFigures } from '@tessera/contracts/content-repo';
import { readEvidence } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { callOperation, OperationClient } from '@tessera/messaging';
import { z } from 'zod';

type ReadEvidence = ReplyOf<typeof readEvidence>;

@Injectable()
export class EvidenceReader {
  constructor(private readonly client: OperationClient) {}

  /** Failures: those of the record. */
  async read(
    request: RequestOf<typeof readEvidence>,
    frame: CallFrame,
    leaving: AbortSignal,
  ): Promise<Result<ReadEvidence>> {
    const found = await callOperation(this.client, readEvidence, request, frame, leaving);
    if (!found.ok || !canCall(frame.caller, findDocumentsOfFigures)) return found;
    const { plan, statement } = found.value;
    const search = { figures: figuresOf(plan), at: statement.askedAt };
    if (search.figures.length === 0) return succeed({ ...found.value, documents: [] });
    const asked = await callOperation(this.client, findDocumentsOfFigures, search, frame, leaving);
    return asked.ok ? succeed({ ...found.value, documents: asked.value.documents }) : found;
  }
}

/** Of one search for documents; a question for more KPIs finds those of the first. */
const figuresMax = 400;
const GroupsPlan = z.object({ kpis: z.array(z.string()) });

/** The KPIs of the question, each once; none when it reads rows. */
const figuresOf = (plan: ReadEvidence['plan']): string[] => {
  const groups = GroupsPlan.safeParse(plan);
  return groups.success ? [...new Set(groups.data.kpis)].slice(0, figuresMax) : [];
};
