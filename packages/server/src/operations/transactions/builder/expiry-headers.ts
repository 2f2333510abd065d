import type { LatestBlockhash } from '@tidegate/core/base';
import type { FastifyReply } from 'fastify';

/** Response headers of a transaction with which a client confirms it, and their descriptions. */
export const EXPIRY_HEADERS = {
  'x-blockhash': 'Blockhash of the transaction',
  'x-last-valid-block-height': 'Last block height at which the transaction can land',
} as const;

export function setExpiryHeaders(
  reply: FastifyReply,
  { blockhash, lastValidBlockHeight }: Pick<LatestBlockhash, 'blockhash' | 'lastValidBlockHeight'>,
): void {
  const values: Record<keyof typeof EXPIRY_HEADERS, string> = {
    'x-blockhash': blockhash,
    'x-last-valid-block-height': lastValidBlockHeight.toString(),
  };
  reply.headers(values);
}
