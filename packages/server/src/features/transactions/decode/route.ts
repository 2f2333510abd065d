import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { encodeBase64 } from '@tidegate/core/base';
import {
  decodeLookupTable,
  LABELED_ACCOUNT_BYTES,
  type LabeledAccount,
  type LabeledMessage,
  type LoadedMessage,
  labelMessage,
  loadMessage,
  lookupTableAddresses,
  MAX_LOOKUP_TABLE_BYTES,
  type MessageInstructionView,
  type MessageView,
  parseWireTransaction,
  viewMessage,
  type WireTransaction,
} from '@tidegate/core/views/transactions';
import { type Static, Type } from 'typebox';
import type { Cluster } from '../../../clusters/served-clusters.ts';
import { defineOperation } from '../../../http/operation.ts';
import { ClusterNameString } from '../../../http/schemas/primitives.ts';
import type { FeatureContext } from '../../feature-context.ts';
import { createNameSource } from './name-source.ts';
import { DecodedTransaction } from './schema.ts';

/** Several times what any cluster takes. */
const MOST_TEXT = 16_384;

const TransactionToDecode = Type.Object(
  {
    transaction: Type.String({
      minLength: 1,
      maxLength: MOST_TEXT,
      description: 'A wire transaction in base64, signed or not, legacy or of version 0',
    }),
  },
  { title: 'TransactionToDecode' },
);

export const decodeTransaction =
  ({ clusters, tokens }: Pick<FeatureContext, 'clusters' | 'tokens'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ktx/decode',
      defineOperation(
        {
          operationId: 'decodeTransaction',
          tag: 'builders',
          summary: 'What a transaction does, before it is signed',
          description:
            'Every instruction in words and in data, the accounts with their roles and what they are, who signs, and what a wallet should warn of. Lookup tables, and accounts that tell whose tokens go where, are read from the cluster. Seen with the eyes of the wallet that pays the fee. Signatures are not verified.',
          weight: 5,
          statuses: [400, 500],
        },
        {
          querystring: Type.Object({ env: Type.Optional(ClusterNameString) }),
          body: TransactionToDecode,
          answer: DecodedTransaction,
        },
      ),
      async ({ body, query }) => {
        const wire = parseWireTransaction(body.transaction);
        const cluster = clusters.select(query.env);
        const message = await load(wire, cluster);
        return toJson(viewMessage(await name(message, { cluster, tokens })));
      },
    );
  };

/** Tables that are followed are at hand; others are read. */
async function load(wire: WireTransaction, cluster: Cluster): Promise<LoadedMessage> {
  const { reader } = cluster;
  const strange = lookupTableAddresses(wire).filter(
    (table) => reader.lookupTable(table) === undefined,
  );
  if (strange.length === 0) return loadMessage(wire, (table) => reader.lookupTable(table)?.fields);
  const { accounts } = await cluster.readAccounts(
    strange,
    reader.at().slot,
    MAX_LOOKUP_TABLE_BYTES,
  );
  return loadMessage(
    wire,
    (table) => reader.lookupTable(table)?.fields ?? decodeLookupTable(table, accounts.get(table)),
  );
}

type Naming = { readonly cluster: Cluster; readonly tokens: FeatureContext['tokens'] };

async function name(message: LoadedMessage, { cluster, tokens }: Naming): Promise<LabeledMessage> {
  const named = labelMessage(message, createNameSource(cluster, tokens));
  if (named.unread.length === 0) return named;
  const { slot } = cluster.reader.at();
  const { accounts } = await cluster.readAccounts(named.unread, slot, LABELED_ACCOUNT_BYTES);
  return labelMessage(message, createNameSource(cluster, tokens), accounts);
}

function toJson(view: MessageView): Static<typeof DecodedTransaction> {
  const { version, feePayer, recentBlockhash, size, sizeLimit, fee } = view;
  return {
    version,
    feePayer,
    signers: view.signers.map(({ label, ...signer }) => ({ ...signer, label: label ?? null })),
    recentBlockhash,
    size,
    sizeLimit,
    fee: { baseLamports: fee.base.toString(), priorityLamports: fee.priority.toString() },
    lookupTables: view.tables.map((table) => ({
      address: table.address,
      writable: [...table.writable],
      readonly: [...table.readonly],
    })),
    instructions: view.instructions.map(instructionJson),
    warnings: view.alerts.map(({ kind, message, instruction }) => ({
      code: kind,
      message,
      instruction: instruction ?? null,
    })),
  };
}

type InstructionJson = Static<typeof DecodedTransaction>['instructions'][number];

function instructionJson(view: MessageInstructionView): InstructionJson {
  const { program, programName, programLabel, name: called, title, args, data, problem } = view;
  return {
    program: { address: program, name: programName ?? null, label: programLabel ?? null },
    name: called ?? null,
    title,
    arguments: args === undefined ? null : argumentsJson(args),
    accounts: view.accounts.map((account) => ({
      name: account.name ?? null,
      address: account.address,
      role: roleOf(account),
      label: account.label ?? null,
    })),
    data: encodeBase64(data),
    problem: problem ?? null,
  };
}

const argumentsJson = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, exact(value)]));

const exact = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

function roleOf({ isSigner, isWritable }: LabeledAccount) {
  if (isSigner) return isWritable ? 'WRITABLE_SIGNER' : 'READONLY_SIGNER';
  return isWritable ? 'WRITABLE' : 'READONLY';
}
