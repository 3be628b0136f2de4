/** What the caller may read of a record, signed with the key of the installation, and the public keys. */
import { sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallFrame, RequestOf } from '@tessera/contracts';
import {
  type ExportedEvidence,
  type exportEvidence,
  evidenceKeysPath,
  signedBytesOf,
} from '@tessera/contracts/gateway';
import { succeed, type Result } from '@tessera/failures';
import type { FastifyInstance } from 'fastify';
import { sendFailure } from '../http/send-failure.js';
import { EvidenceKeys } from '../oauth/signing-keys.js';
import { EvidenceReader } from './evidence-reader.js';

@Injectable()
export class EvidenceExporter {
  constructor(
    private readonly reader: EvidenceReader,
    private readonly keys: EvidenceKeys,
  ) {}

  async export(
    request: RequestOf<typeof exportEvidence>,
    frame: CallFrame,
    leaving: AbortSignal,
  ): Promise<Result<ExportedEvidence>> {
    const read = await this.reader.read(request, frame, leaving);
    if (!read.ok) return read;
    const { statement, result, words, documents } = read.value;
    const signed = { statement, ...(result && { result }), words, ...(documents && { documents }) };
    const signing = await this.keys.findSigning();
    if (!signing.ok) return signing;
    const { keyId, privateKey } = signing.value;
    const value = sign(undefined, signedBytesOf(signed), privateKey).toString('base64url');
    const keys = `${frame.publicUrl}${evidenceKeysPath}`;
    return succeed({ ...signed, signature: { algorithm: 'Ed25519', keyId, keys, value } });
  }

  addRoutes(fastify: FastifyInstance): void {
    fastify.get(evidenceKeysPath, async (request, reply) => {
      const published = await this.keys.findPublished();
      if (published.ok) void reply.header('cache-control', 'no-cache').send(published.value);
      else sendFailure(request, reply, published.failure);
      return reply;
    });
  }
}
