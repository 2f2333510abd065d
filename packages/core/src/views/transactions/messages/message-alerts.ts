import type { Address } from '../../../base/encoding/address.ts';
import { formatUnits } from '../../../base/numbers/decimal.ts';
import type { Alert, DescriptionContext } from '../descriptions/instruction-description.ts';
import { builtInLabels, MEMO_PROGRAMS } from './built-in-labels.ts';
import type { LoadedMessage } from './loaded-message.ts';
import type { MessageFee } from './message-fee.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';

/** `instruction` is the index of the instruction; undefined for the whole transaction. */
export type MessageAlert = Alert & { readonly instruction: number | undefined };

/** The size limit of a network packet. */
export const PACKET_DATA_SIZE = 1232;

/** An unusually high priority fee: 0.01 SOL. */
const HIGH_FEE = 10_000_000n;
const SOL_DECIMALS = 9;

type AlertInput = {
  readonly message: LoadedMessage;
  readonly calls: readonly DecodedMessageInstruction[];
  readonly context: DescriptionContext;
  readonly fee: MessageFee;
};

/** Alerts of the whole transaction first, then by instruction. */
export function findMessageAlerts(input: AlertInput): readonly MessageAlert[] {
  const { calls, context } = input;
  return [
    ...transactionAlerts(input).map((alert) => ({ ...alert, instruction: undefined })),
    ...calls.flatMap((call, instruction) =>
      callAlerts(call, context).map((alert) => ({ ...alert, instruction })),
    ),
  ];
}

function transactionAlerts({ message, calls, fee }: AlertInput): Alert[] {
  const signers = message.accounts.filter(({ isSigner }) => isSigner).slice(1);
  const [first] = calls;
  const alerts: Alert[] = signers.map(({ address }) => ({
    kind: 'OTHER_SIGNER',
    message: `${address} must also sign.`,
  }));
  if (first?.programName === 'system' && first.name === 'advanceNonceAccount') {
    const lasting = 'The transaction does not expire: once signed, it can be sent at any time.';
    alerts.push({ kind: 'NEVER_EXPIRES', message: lasting });
  }
  if (fee.priority >= HIGH_FEE) {
    const sol = formatUnits(fee.priority, SOL_DECIMALS);
    alerts.push({ kind: 'HIGH_FEE', message: `The priority fee is up to ${sol} SOL.` });
  }
  if (message.size > PACKET_DATA_SIZE) {
    const tooLarge = `The transaction has ${message.size} bytes; the limit is ${PACKET_DATA_SIZE}.`;
    alerts.push({ kind: 'TOO_LARGE', message: tooLarge });
  }
  for (const { address } of message.tables.filter(({ isClosing }) => isClosing)) {
    const closing = `The lookup table ${address} is being deactivated; the transaction may fail soon.`;
    alerts.push({ kind: 'CLOSING_TABLE', message: closing });
  }
  return alerts;
}

function callAlerts(call: DecodedMessageInstruction, context: DescriptionContext): Alert[] {
  const { described } = call;
  if (described === undefined) return undecodedAlerts(call);
  const others = [...new Set(described.receivers)].filter((address) => !context.isOwn(address));
  return [...described.alerts(context), ...others.map((address) => paysOthers(address, context))];
}

function undecodedAlerts({
  program,
  programName,
  name,
  problem,
}: DecodedMessageInstruction): Alert[] {
  // These programs have no effect on accounts.
  if (MEMO_PROGRAMS.includes(program) || programName === 'computeBudget') return [];
  const label = builtInLabels.get(program) ?? `the program ${program}`;
  if (programName === undefined) {
    return [{ kind: 'UNKNOWN_PROGRAM', message: `The effect of ${label} is unknown.` }];
  }
  const message = `The effect of ${name ?? 'an instruction'} of ${label} is unknown: ${problem}.`;
  return [{ kind: 'UNKNOWN_INSTRUCTION', message }];
}

function paysOthers(address: Address, context: DescriptionContext): Alert {
  const isKnown = context.ownerOf(address) !== undefined;
  const message = isKnown
    ? `The proceeds go to ${context.name(address)}, not to the wallet.`
    : `The proceeds go to ${context.name(address)}, which may not belong to the wallet.`;
  return { kind: 'PAYS_OTHERS', message };
}
