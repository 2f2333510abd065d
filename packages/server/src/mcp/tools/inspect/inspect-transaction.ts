import { untrustedSentence } from '@tidegate/core/base';
import { sol } from '../../answer/figures.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { DecodedWire } from '../../api/position-schemas.ts';
import type { Inspection } from './inspection.ts';

/** What the instructions of a transaction say, signed or not: by its signature, or by its bytes in base64. */
export async function inspectTransaction(
  transaction: string,
  reading: ApiReading,
): Promise<Inspection> {
  const decoded = await reading.post(DecodedWire, { path: '/ktx/decode', body: { transaction } });
  const { baseLamports, priorityLamports } = decoded.fee;
  const fee = sol(String(BigInt(baseLamports) + BigInt(priorityLamports)));
  const unsigned = decoded.signers.filter(({ signed }) => !signed).length;
  return {
    lines: [
      `Transaction paid by ${decoded.feePayer}: ${decoded.instructions.length} instructions, fee at most ${fee}, ${unsigned === 0 ? 'signed by all' : `${unsigned} signatures missing`}.`,
      'This is what its instructions ask for. A transaction that landed can still have failed.',
      ...decoded.warnings.map(
        ({ code, message }) => `WARNING ${code}: ${untrustedSentence(message)}`,
      ),
      ...decoded.instructions.map(
        ({ title }, index) => `${index + 1}. "${untrustedSentence(title)}"`,
      ),
    ],
    data: {
      feePayer: decoded.feePayer,
      signers: decoded.signers,
      sizeBytes: decoded.size,
      fee,
      lookupTables: decoded.lookupTables.map(({ address }) => address),
      warnings: decoded.warnings,
      instructions: decoded.instructions.map(({ program, name, title, problem }) => ({
        program: program.name ?? 'unknown program',
        programAddress: program.address,
        name: name ?? 'unknown instruction',
        untrustedTitle: untrustedSentence(title),
        ...(problem !== null && { problem: untrustedSentence(problem) }),
      })),
    },
  };
}
