import type { Address } from '../../../base/encoding/address.ts';
import { EMPTY_SIGNATURE } from '../../../protocol/spl/transaction/wire.ts';
import type { DescriptionContext } from '../descriptions/instruction-description.ts';
import type { ProgramName } from '../known-programs.ts';
import { stripUnsafeCharacters } from './account-labels.ts';
import { builtInLabels, MEMO_PROGRAMS } from './built-in-labels.ts';
import type { LoadedLookupTable } from './loaded-message.ts';
import { findMessageAlerts, type MessageAlert, PACKET_DATA_SIZE } from './message-alerts.ts';
import { type MessageFee, messageFee } from './message-fee.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';
import type { LabeledMessage } from './message-labels.ts';

/** A transaction that was not sent yet, in words and data. */
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
  /** Whether a signature is there, whatever it is worth. */
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
  /** Undefined where the instruction cannot be read. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  readonly accounts: readonly LabeledAccount[];
};

export type LabeledAccount = {
  /** As the program calls it; undefined for those behind the named ones, and where nothing is known. */
  readonly name: string | undefined;
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly label: string | undefined;
};

export function viewMessage(named: LabeledMessage): MessageView {
  const { message, calls, words } = named;
  const fee = messageFee(message, calls);
  const { message: signed, signatures } = message;
  const signers = message.accounts.filter(({ isSigner }) => isSigner);
  return {
    version: signed.version,
    feePayer: words.wallet,
    signers: signers.map(({ address }, i) => ({
      address,
      label: named.labelOf(address),
      signed: signatures[i] !== EMPTY_SIGNATURE,
    })),
    recentBlockhash: signed.recentBlockhash,
    size: message.size,
    sizeLimit: PACKET_DATA_SIZE,
    fee,
    tables: message.tables,
    instructions: calls.map((call) => viewCall(call, named)),
    alerts: findMessageAlerts({ message, calls, words, fee }),
  };
}

function viewCall(
  call: DecodedMessageInstruction,
  { words, labelOf }: LabeledMessage,
): MessageInstructionView {
  const { program, programName, name, data, problem, told } = call;
  const names = Object.keys(told?.accounts ?? {});
  return {
    program,
    programName,
    programLabel: builtInLabels.get(program),
    name,
    title: told?.say(words) ?? bareTitle(call, words),
    args: told && { ...told.args, ...(told.list && { [told.listName]: told.list }) },
    accounts: call.accounts.map(({ address, isSigner, isWritable }, i) => {
      const account = names[i];
      const isAbsent = account !== undefined && told?.accounts[account] === undefined;
      const label = isAbsent ? 'not given' : labelOf(address);
      return { name: account, address, isSigner, isWritable, label };
    }),
    data,
    problem,
  };
}

function bareTitle(
  { program, name, data }: DecodedMessageInstruction,
  words: DescriptionContext,
): string {
  if (MEMO_PROGRAMS.includes(program))
    return `Say “${stripUnsafeCharacters(new TextDecoder().decode(data))}”`;
  return `Call ${name ?? 'an instruction'} of ${words.name(program)}`;
}
