import { decodeBase58 } from '@tidegate/core/base';
import { SIGNATURE_BYTES } from '@tidegate/core/protocol/spl/transaction';
import { Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import type { OperationPlugin } from '../../operation-context.ts';
import { createTokenSymbols } from '../builder/token-symbols.ts';
import { outcomeJson } from './json.ts';
import { readOutcome } from './read-outcome.ts';
import { OutcomeQuery, SignatureParameter, TransactionOutcome } from './schema.ts';

/** Of a final outcome, which nothing changes. */
const FINAL = 'public, max-age=3600';

export const getTransactionOutcome: OperationPlugin = (context) => {
  const symbolsOf = createTokenSymbols(context);
  return async (app) => {
    app.get(
      '/transactions/:signature',
      defineOperation(
        {
          operationId: 'getTransactionOutcome',
          tag: 'builders',
          summary: 'What became of a transaction that was sent',
          description:
            'Whether a transaction is pending, landed, failed, expired or unknown, read from an endpoint of the cluster; with the slot, the fee, the failure as builders report it, and the changes of balances. expired is said only if the endpoint has all blocks in which the transaction could be. A read that fails is an error, never a status. Only final outcomes may be cached.',
          weight: 3,
          statuses: [400, 500],
        },
        {
          params: Type.Object({ signature: SignatureParameter }),
          querystring: OutcomeQuery,
          response: TransactionOutcome,
        },
      ),
      async ({ params: { signature }, query }, reply) => {
        requireSignature(signature);
        const cluster = context.clusters.requireLoaded(query.env);
        const { lastValidBlockHeight: height } = query;
        const lastValidBlockHeight = height === undefined ? undefined : BigInt(height);
        const request = { signature, lastValidBlockHeight };
        const outcome = outcomeJson(
          request,
          await readOutcome(request, cluster),
          symbolsOf(cluster),
        );
        const isComplete = outcome.isFinal && outcome.missing === null;
        reply.header('cache-control', isComplete ? FINAL : 'no-store');
        return outcome;
      },
    );
  };
};

function requireSignature(text: string): void {
  if (decodeBase58(text)?.length === SIGNATURE_BYTES) return;
  const message = `signature must be ${SIGNATURE_BYTES} bytes in base58`;
  throw new CodedError('INVALID_PATH', {
    issues: [{ path: ['signature'], code: 'invalid_format', message }],
  });
}
