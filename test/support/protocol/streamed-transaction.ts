import { referenceDecode, referenceEncode } from '../reference/reference-base58.ts';

type Streamed = {
  slot: string;
  transaction: {
    transaction: { signatures: string[]; message: Record<string, unknown> };
    meta: Record<string, unknown>;
  };
};

/** Converts a recorded stream message to the format of `getTransaction`. */
export function toRpcTransaction(recorded: unknown): unknown {
  const { slot, transaction } = recorded as Streamed;
  const { message, signatures } = transaction.transaction;
  const base58 = (value: { data: string; accounts: number[] | { firstBytes: number[] } }) => ({
    ...value,
    accounts: Array.isArray(value.accounts) ? value.accounts : value.accounts.firstBytes,
    data: referenceEncode(Buffer.from(value.data, 'base64')),
  });
  const { meta } = transaction;
  const inner = meta['innerInstructions'] as { instructions: Parameters<typeof base58>[0][] }[];
  const indexes = (text: string) => [...referenceDecode(text)];
  const lookups = message['addressTableLookups'] as Record<string, string>[];
  return {
    slot,
    version: 0,
    meta: {
      ...meta,
      err: customError((meta['err'] as { err: string }).err),
      innerInstructions: inner.map((group) => ({
        ...group,
        instructions: group.instructions.map(base58),
      })),
      loadedAddresses: {
        writable: meta['loadedWritableAddresses'],
        readonly: meta['loadedReadonlyAddresses'],
      },
    },
    transaction: {
      signatures,
      message: {
        ...message,
        instructions: (message['instructions'] as Parameters<typeof base58>[0][]).map(base58),
        addressTableLookups: lookups.map((lookup) => ({
          ...lookup,
          writableIndexes: indexes(lookup['writableIndexes'] ?? ''),
          readonlyIndexes: indexes(lookup['readonlyIndexes'] ?? ''),
        })),
      },
    },
  };
}

/** Little-endian: 8 for a failed instruction, its index, 25 for a custom error, the code. */
function customError(text: string): unknown {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.readUInt32LE(0) !== 8 || bytes.readUInt32LE(5) !== 25) throw new Error('another error');
  return { InstructionError: [bytes.readUInt8(4), { Custom: bytes.readUInt32LE(9) }] };
}
