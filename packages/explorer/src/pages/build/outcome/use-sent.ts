import { useMemo } from 'preact/hooks';
import { query, setQuery } from '../../../routing/location.ts';
import type { SentTransaction } from './outcome.ts';
import { type FiguresBefore, readRecord, type SentRecord, storeRecord } from './sent-record.ts';

/** A signed transaction that the page follows. */
export type Sent = SentTransaction & {
  /** Undefined in another tab than the one in which it was signed. */
  readonly before: FiguresBefore | undefined;
  /** Base64. Of a wallet that signs and does not send. */
  readonly signed: string | undefined;
};

/** The transaction that was sent for the form. The URL names it, so that it survives a reload. */
export function useSent() {
  const signature = query.value.get('sent') ?? undefined;
  const height = query.value.get('until') ?? undefined;
  const record = useMemo(() => signature && readRecord(signature), [signature]);
  return {
    sent: signature === undefined ? undefined : toSent(signature, height, record || undefined),
    remember({ signature, lastValidBlockHeight }: SentTransaction, known: SentRecord): void {
      storeRecord(signature, known);
      setQuery({ sent: signature, until: lastValidBlockHeight });
    },
  };
}

/** Parameters of the URL that are removed with the transaction. */
export const NOT_SENT = { sent: undefined, until: undefined } as const;

const toSent = (
  signature: string,
  height: string | undefined,
  record: SentRecord | undefined,
): Sent => ({
  signature,
  lastValidBlockHeight: height !== undefined && /^\d{1,20}$/.test(height) ? height : undefined,
  before: record?.before,
  signed: record?.signed,
});
