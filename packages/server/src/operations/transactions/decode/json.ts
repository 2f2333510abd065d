import { encodeBase64 } from '@tidegate/core/base';
import type {
  LabeledAccount,
  MessageInstructionView,
  MessageView,
} from '@tidegate/core/views/transactions';
import type { Static } from 'typebox';
import type { DecodedTransaction } from './schema.ts';

type Json = Static<typeof DecodedTransaction>;

export function decodedTransactionJson(view: MessageView): Json {
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

function instructionJson(view: MessageInstructionView): Json['instructions'][number] {
  const { program, programName, programLabel, name, title, args, data, problem } = view;
  return {
    program: { address: program, name: programName ?? null, label: programLabel ?? null },
    name: name ?? null,
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
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, argumentJson(value)]));

function argumentJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (Array.isArray(value)) return value.map(argumentJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, argumentJson(each)]),
    );
  }
  return value;
}

function roleOf({ isSigner, isWritable }: LabeledAccount) {
  if (isSigner) return isWritable ? 'WRITABLE_SIGNER' : 'READONLY_SIGNER';
  return isWritable ? 'WRITABLE' : 'READONLY';
}
