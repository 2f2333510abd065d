import type { IncomingMessage } from 'node:http';
import { decodeBase64, encodeBase64, toAddress } from '@tidegate/core/base';
import { parseWireTransaction } from '@tidegate/core/views/transactions';
import { signWithWalletKey } from '@tidegate/localnet/embedded';
import { type Static, Type } from 'typebox';
import type { Demo } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import type { TrustedProxies } from '../../http/limits/client-address.ts';
import { isLocalHost } from '../../http/local-host.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { publicUrl } from '../../http/public-url.ts';
import { AddressString, U64String } from '../../http/schemas/primitives.ts';
import type { OperationContext, OperationPlugin } from '../operation-context.ts';
import { confirmTransaction } from './confirm-transaction.ts';

/** Several times the size limit of a transaction. */
const MAX_TRANSACTION_LENGTH = 16_384;
/** How long reads may take to include a confirmed slot. */
const READS_TIMEOUT_MS = 5_000;

const DemoTransaction = Type.Object({
  wallet: AddressString,
  transaction: Type.String({ minLength: 1, maxLength: MAX_TRANSACTION_LENGTH }),
});

const SentTransaction = Type.Object({ signature: Type.String(), slot: U64String });

/** Not in the OpenAPI document: the explorer uses it, and only a deployment with the embedded cluster has it. */
const operation: Operation = {
  operationId: 'sendDemoTransaction',
  tag: 'operations',
  errorFormat: 'builder',
  summary: 'Sign with a wallet of the embedded cluster and send',
  weight: 5,
  statuses: [400, 404, 500],
  hidden: true,
  headers: ['cache-control', 'no-store'],
};

/**
 * Signs a transaction with the key of one of the embedded cluster's wallets and sends it to that cluster, so that the
 * explorer can show a change without any key in the page. Resolves when reads include the transaction.
 */
export const sendDemoTransaction: OperationPlugin = (context) => async (app) => {
  const { demo, trustedProxies } = context;
  app.post(
    '/localnet/demo-wallet/send',
    {
      ...defineOperation(operation, { body: DemoTransaction, response: SentTransaction }),
      // before the body is validated: elsewhere the path does not exist
      onRequest: async ({ raw }) => {
        requireDemo(demo);
        requireOwnPage(raw, trustedProxies);
      },
    },
    async ({ body }) => {
      const known = requireDemo(demo);
      const { addresses } = known;
      const wire = sign(body, known);
      const sent = await confirmTransaction(addresses.rpcUrl, encodeBase64(wire));
      const cluster = context.clusters.requireLoaded('localnet');
      await cluster.waitForSlot(sent.slot, READS_TIMEOUT_MS);
      return { signature: sent.signature, slot: sent.slot.toString() };
    },
  );
};

function requireDemo(demo: OperationContext['demo']): Demo {
  const known = demo();
  if (known === undefined) throw new CodedError('ROUTE_NOT_FOUND', {});
  return known;
}

/**
 * Refuses pages of other origins, and pages whose own name resolves to this machine (DNS rebinding). Browsers send the
 * origin of the page with every POST; other clients send none. A trusted proxy decides itself which names it serves.
 */
function requireOwnPage(request: IncomingMessage, trusted: TrustedProxies): void {
  const { origin, host = '' } = request.headers;
  if (!trusted.has(request.socket.remoteAddress ?? '') && !isLocalHost(host)) {
    throw new CodedError('FOREIGN_HOST', { host });
  }
  if (origin === undefined) return;
  const own = new URL(publicUrl(request, trusted)).host;
  if (!URL.canParse(origin) || new URL(origin).host !== own) {
    throw new CodedError('FOREIGN_ORIGIN', { origin });
  }
}

function sign(
  { wallet, transaction }: Static<typeof DemoTransaction>,
  { keysFolder }: Demo,
): Uint8Array {
  const { message } = parseWireTransaction(transaction);
  const address = toAddress(wallet);
  const signers = message.staticKeys.slice(0, message.header.numRequiredSignatures);
  const [feePayer] = signers;
  if (feePayer !== address) {
    throw new CodedError('TRANSACTION_REJECTED', { reason: `${wallet} does not pay its fee` });
  }
  const wire = decodeBase64(transaction);
  const signed = signWithWalletKey(wire, { folder: keysFolder, wallet: address });
  if (signed === undefined) throw new CodedError('NOT_FOUND', { what: 'demo wallet', address });
  return signed;
}
