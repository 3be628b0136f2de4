/** How an answer comes about, and evidence of it: explained, read, asked again, exported. */
import { Controller } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import { exportedTextOf, exportEvidence } from '@tessera/contracts/gateway';
import { explainOwnQuery, readEvidence, replayEvidence } from '@tessera/contracts/knowledge-models';
import { succeed } from '@tessera/failures';
import { OperationClient } from '@tessera/messaging';
import { OperationRoute } from '../http/op.js';
import { createJsonByteReply } from '../http/send-reply.js';
import { EvidenceExporter } from './evidence-exporter.js';
import { EvidenceReader } from './evidence-reader.js';

@Controller()
export class EvidenceController {
  constructor(
    private readonly client: OperationClient,
    private readonly reader: EvidenceReader,
    private readonly exporter: EvidenceExporter,
  ) {}

  @OperationRoute(readEvidence)
  read(input: RequestOf<typeof readEvidence>, frame: CallFrame, leaving: AbortSignal) {
    return this.reader.read(input, frame, leaving);
  }

  @OperationRoute(explainOwnQuery)
  explain(input: RequestOf<typeof explainOwnQuery>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(explainOwnQuery, input, frame, leaving);
  }

  @OperationRoute(replayEvidence)
  replay(input: RequestOf<typeof replayEvidence>, frame: CallFrame, leaving: AbortSignal) {
    return this.client.call(replayEvidence, input, frame, leaving);
  }

  @OperationRoute(exportEvidence)
  async export(input: RequestOf<typeof exportEvidence>, frame: CallFrame, leaving: AbortSignal) {
    const exported = await this.exporter.export(input, frame, leaving);
    return exported.ok ? succeed(createJsonByteReply(exported.value, exportedTextOf)) : exported;
  }
}
