import type { Address } from '../../../base/encoding/address.ts';
import { quoteText } from '../../../base/encoding/foreign-text.ts';
import { EMPTY_SIGNATURE } from '../../../protocol/spl/transaction/wire.ts';
import type { DescriptionContext } from '../descriptions/instruction-description.ts';
import type { ProgramName } from '../known-programs.ts';
import { builtInLabels, MEMO_PROGRAMS } from './built-in-labels.ts';
import type { LoadedLookupTable } from './loaded-message.ts';
import { findMessageAlerts, type MessageAlert, PACKET_DATA_SIZE } from './message-alerts.ts';
import { type MessageFee, messageFee } from './message-fee.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';
import type { LabeledMessage } from './message-labels.ts';

/** As long as a transaction allows. */
const MAX_MEMO = 600;

/** A decoded transaction that was not sent yet. */
export type MessageView = {
  readonly version: 'legacy' | 0;
  readonly feePayer: Address;
  readonly signers: readonly MessageSigner[];
  readonly recentBlockhash: string;
  /** In bytes. */
  readonly size: number;
  readonly sizeLimit: number;
  readonly fee: MessageFee;
  readonly tables: readonly LoadedLookupTable[];
  readonly instructions: readonly MessageInstructionView[];
  readonly alerts: readonly MessageAlert[];
};

type MessageSigner = {
  readonly address: Address;
  readonly label: string | undefined;
  /** Whether a signature is present; it is not verified. */
  readonly signed: boolean;
};

export type MessageInstructionView = Pick<
  DecodedMessageInstruction,
  'name' | 'data' | 'problem'
> & {
  readonly program: Address;
  readonly programName: ProgramName | undefined;
  readonly programLabel: string | undefined;
  readonly title: string;
  /** Undefined if the instruction cannot be decoded. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  readonly accounts: readonly LabeledAccount[];
};

export type LabeledAccount = {
  /**
   * The program's name of the account; undefined after the named accounts, and for an unknown
   * instruction.
   */
  readonly name: string | undefined;
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly label: string | undefined;
};

export function viewMessage(labeled: LabeledMessage): MessageView {
  const { message, calls, context } = labeled;
  const fee = messageFee(message, calls);
  const { message: signed, signatures } = message;
  const signers = message.accounts.filter(({ isSigner }) => isSigner);
  return {
    version: signed.version,
    feePayer: context.wallet,
    signers: signers.map(({ address }, i) => ({
      address,
      label: labeled.labelOf(address),
      signed: signatures[i] !== EMPTY_SIGNATURE,
    })),
    recentBlockhash: signed.recentBlockhash,
    size: message.size,
    sizeLimit: PACKET_DATA_SIZE,
    fee,
    tables: message.tables,
    instructions: calls.map((call) => viewCall(call, labeled)),
    alerts: findMessageAlerts({ message, calls, context, fee }),
  };
}

function viewCall(
  call: DecodedMessageInstruction,
  { context, labelOf }: LabeledMessage,
): MessageInstructionView {
  const { program, programName, name, data, problem, described } = call;
  const names = Object.keys(described?.accounts ?? {});
  return {
    program,
    programName,
    programLabel: builtInLabels.get(program),
    name,
    title: described?.describe(context) ?? defaultTitle(call, context),
    args: described && { ...described.args, ...described.values },
    accounts: call.accounts.map(({ address, isSigner, isWritable }, i) => {
      const account = names[i];
      const isAbsent = account !== undefined && described?.accounts[account] === undefined;
      const label = isAbsent ? 'absent' : labelOf(address);
      return { name: account, address, isSigner, isWritable, label };
    }),
    data,
    problem,
  };
}

function defaultTitle(
  { program, name, data }: DecodedMessageInstruction,
  context: DescriptionContext,
): string {
  if (MEMO_PROGRAMS.includes(program))
    return `Memo: ${quoteText(new TextDecoder().decode(data), MAX_MEMO)}`;
  return `Call ${name ?? 'an instruction'} of ${context.name(program)}`;
}
