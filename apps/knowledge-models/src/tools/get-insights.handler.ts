/** The tool get-insights: which values of fields drive a KPI. What was computed is kept as every other result is. */
import { Controller } from '@nestjs/common';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { getInsights } from '@tessera/contracts/knowledge-models';
import { succeed, type Result } from '@tessera/failures';
import { jsonContentType, type OperationContext, Serves } from '@tessera/messaging';
import { EvidenceKeeper } from '../evidence/keep-evidence.js';
import { mapQueryErrors } from '../queries/query-failure.js';
import { InsightsReader, recordedInsights } from './insights-reader.js';

@Controller()
export class GetInsightsHandler {
  constructor(
    private readonly insights: InsightsReader,
    private readonly evidence: EvidenceKeeper,
  ) {}

  @Serves(getInsights)
  find(
    { km_id, arguments: asked, prefer }: RequestOf<typeof getInsights>,
    context: OperationContext,
  ): Promise<Result<ByteReply>> {
    return mapQueryErrors(async () => {
      const read = await this.insights.read(context.caller, km_id, asked, context.signal);
      if (!read.ok) return read;
      const { prepared, head, entries } = read.value;
      const body = Buffer.from(`${head},"insights":[${entries.join(',')}]}`);
      const recorder = this.evidence.ofInsights(prefer, context, prepared, { insights: asked });
      const reply = { contentType: jsonContentType, body };
      return succeed(recorder ? await recorder.present(recordedInsights(read.value), reply) : reply);
    });
  }
}
