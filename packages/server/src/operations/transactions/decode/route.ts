import { decodeBase58 } from '@tidegate/core/base';
import {
  encodeWireTransaction,
  parseSignedMessage,
  SIGNATURE_BYTES,
} from '@tidegate/core/protocol/spl/transaction';
import {
  LABELED_ACCOUNT_BYTES,
  type LabeledMessage,
  type LoadedMessage,
  labelMessage,
  parseWireTransaction,
  viewMessage,
  type WireTransaction,
} from '@tidegate/core/views/transactions';
import { Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { CodedError } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import { loadLookupTables } from '../../../support/transactions/load-lookup-tables.ts';
import type { OperationContext, OperationPlugin } from '../../operation-context.ts';
import { decodedTransactionJson } from './json.ts';
import { createLabelSource } from './label-source.ts';
import { DecodedTransaction } from './schema.ts';

/** Several times the size limit of a transaction. */
const MAX_TRANSACTION_LENGTH = 16_384;
/** In base58. */
const MAX_SIGNATURE_LENGTH = 88;

/** The parts of a `getTransaction` result that are parsed. */
type SentTransaction = { readonly transaction: unknown; readonly version: unknown };

const TransactionToDecode = Type.Object(
  {
    transaction: Type.String({
      minLength: 1,
      maxLength: MAX_TRANSACTION_LENGTH,
      description:
        'Wire transaction in base64, signed or unsigned, legacy or version 0; or the signature of a transaction on the cluster',
    }),
  },
  { title: 'TransactionToDecode' },
);

export const decodeTransaction: OperationPlugin =
  ({ clusters, tokens }) =>
  async (app) => {
    app.post(
      '/ktx/decode',
      defineOperation(
        {
          operationId: 'decodeTransaction',
          tag: 'builders',
          errorFormat: 'builder',
          summary: 'Decoded transaction with warnings',
          description:
            'Instructions with titles and arguments, accounts with roles and labels, signers, and warnings for the wallet, from the view of the fee payer. Lookup tables and the owners of token accounts are read from the cluster. Signatures are not verified.',
          weight: 5,
          statuses: [400, 500],
          answersNotFound: true,
        },
        {
          querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
          body: TransactionToDecode,
          response: DecodedTransaction,
        },
      ),
      async ({ body, query }) => {
        const { transaction } = body;
        const wire = isSignature(transaction) ? undefined : parseWireTransaction(transaction);
        const cluster = clusters.requireLoaded(query.env);
        const message = await loadLookupTables(
          wire ?? (await findSentTransaction(transaction, cluster)),
          cluster,
        );
        return decodedTransactionJson(viewMessage(await label(message, cluster, tokens)));
      },
    );
  };

/** A text of this length is shorter than any transaction in base64. */
const isSignature = (text: string): boolean =>
  text.length <= MAX_SIGNATURE_LENGTH && decodeBase58(text)?.length === SIGNATURE_BYTES;

/** Reads a transaction that landed on the cluster. */
async function findSentTransaction(signature: string, cluster: Cluster): Promise<WireTransaction> {
  const found = (await cluster.findTransaction?.(signature)) as SentTransaction | undefined;
  if (found === undefined) {
    throw new CodedError('NOT_FOUND', { what: 'transaction', address: signature });
  }
  const signed = parseSignedMessage(found.transaction, found.version);
  return { ...signed, size: encodeWireTransaction(signed).length };
}

/** Reads accounts that are required for labels and not in the cluster state. */
async function label(
  message: LoadedMessage,
  cluster: Cluster,
  tokens: OperationContext['tokens'],
): Promise<LabeledMessage> {
  const labeled = labelMessage(message, createLabelSource(cluster, tokens));
  if (labeled.unread.length === 0) return labeled;
  const { slot } = cluster.reader.at();
  const { accounts } = await cluster.readAccounts(labeled.unread, slot, LABELED_ACCOUNT_BYTES);
  return labelMessage(message, createLabelSource(cluster, tokens), accounts);
}
