import type { Address } from '#core/base/encoding/address.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { mainnetAccounts, mainnetTransaction } from '../mainnet/mainnet-fixtures.ts';
import { referenceEncode } from '../reference/reference-base58.ts';

/** A transaction in the form of `getTransaction` with the encoding base64. */
export type RecordedTransaction = {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly meta: {
    readonly err: unknown;
    readonly logMessages: readonly string[];
    readonly loadedAddresses: {
      readonly readonly: readonly string[];
      readonly writable: readonly string[];
    };
  };
  readonly transaction: readonly [wire: string, encoding: 'base64'];
};

/** Storage overhead of an account that rent pays for. */
const ACCOUNT_OVERHEAD_BYTES = 128;
const LAMPORTS_PER_BYTE = 6_960;

export const rentExemptLamports = (bytes: number): bigint =>
  BigInt((ACCOUNT_OVERHEAD_BYTES + bytes) * LAMPORTS_PER_BYTE);

/** The newest recording of every address. Lamports are not recorded: the rent-exempt minimum. */
export function recordedAccounts(): KeyedAccount[] {
  const newest = new Map<Address, { key: string; named: KeyedAccount }>();
  for (const { address, owner, data, slot, date } of mainnetAccounts()) {
    // bytes of one address are dated either by slot or by day
    const key = `${String(slot ?? 0).padStart(12, '0')} ${date ?? ''}`;
    const known = newest.get(address);
    if (known !== undefined && known.key >= key) continue;
    const lamports = rentExemptLamports(data.length);
    newest.set(address, { key, named: { address, account: { owner, lamports, data } } });
  }
  return [...newest.values()].map(({ named }) => named);
}

/** A repayment of a loan in the main market, the only transaction recorded in this form. */
export const recordedTransactions = (): RecordedTransaction[] => [
  mainnetTransaction('repay') as RecordedTransaction,
];

/** Signatures follow one byte with their number. */
const SIGNATURES_START = 1;
const SIGNATURE_BYTES = 64;
/** Version and three counts precede the number of static addresses. */
const MESSAGE_HEADER_BYTES = 4;
const ADDRESS_BYTES = 32;

/** The addresses in the message and those loaded from lookup tables. */
export function mentionedAddresses({ meta, transaction: [wire] }: RecordedTransaction): string[] {
  const bytes = Buffer.from(wire, 'base64');
  const message = SIGNATURES_START + bytes.readUInt8(0) * SIGNATURE_BYTES;
  const start = message + MESSAGE_HEADER_BYTES + 1;
  const fixed = Array.from({ length: bytes.readUInt8(start - 1) }, (_, i) =>
    referenceEncode(bytes.subarray(start + i * ADDRESS_BYTES, start + (i + 1) * ADDRESS_BYTES)),
  );
  return [...fixed, ...meta.loadedAddresses.writable, ...meta.loadedAddresses.readonly];
}

export function signatureOf({ transaction: [wire] }: RecordedTransaction): string {
  const bytes = Buffer.from(wire, 'base64');
  return referenceEncode(bytes.subarray(SIGNATURES_START, SIGNATURES_START + SIGNATURE_BYTES));
}
