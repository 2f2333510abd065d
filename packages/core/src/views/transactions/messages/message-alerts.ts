import type { Address } from '../../../base/encoding/address.ts';
import { formatUnits } from '../../../base/numbers/decimal.ts';
import type { Alert, DescriptionContext } from '../descriptions/instruction-description.ts';
import { builtInLabels, MEMO_PROGRAMS } from './built-in-labels.ts';
import type { LoadedMessage } from './loaded-message.ts';
import type { MessageFee } from './message-fee.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';

/** `instruction`: which one it is about, counted from 0; undefined for the transaction as a whole. */
export type MessageAlert = Alert & { readonly instruction: number | undefined };

/** What fits into one packet of the network. */
export const PACKET_DATA_SIZE = 1232;

/** More than is usual for a priority fee: a hundredth of a SOL. */
const HIGH_FEE = 10_000_000n;
const SOL_DECIMALS = 9;

type Told = {
  readonly message: LoadedMessage;
  readonly calls: readonly DecodedMessageInstruction[];
  readonly words: DescriptionContext;
  readonly fee: MessageFee;
};

/** Those of the whole first, then instruction by instruction. */
export function findMessageAlerts(told: Told): readonly MessageAlert[] {
  const { calls, words } = told;
  return [
    ...wholeAlerts(told).map((alert) => ({ ...alert, instruction: undefined })),
    ...calls.flatMap((call, instruction) =>
      callAlerts(call, words).map((alert) => ({ ...alert, instruction })),
    ),
  ];
}

function wholeAlerts({ message, calls, fee }: Told): Alert[] {
  const signers = message.accounts.filter(({ isSigner }) => isSigner).slice(1);
  const [first] = calls;
  const alerts: Alert[] = signers.map(({ address }) => ({
    kind: 'OTHER_SIGNER',
    message: `${address} must sign beside the wallet.`,
  }));
  if (first?.programName === 'system' && first.name === 'advanceNonceAccount') {
    const lasting = 'It does not expire: once signed, it can be sent at any later time.';
    alerts.push({ kind: 'NEVER_EXPIRES', message: lasting });
  }
  if (fee.priority >= HIGH_FEE) {
    const sol = formatUnits(fee.priority, SOL_DECIMALS);
    alerts.push({ kind: 'HIGH_FEE', message: `It pays up to ${sol} SOL to be run before others.` });
  }
  if (message.size > PACKET_DATA_SIZE) {
    const tooLarge = `It has ${message.size} bytes, the cluster takes ${PACKET_DATA_SIZE}.`;
    alerts.push({ kind: 'TOO_LARGE', message: tooLarge });
  }
  for (const { address } of message.tables.filter(({ isClosing }) => isClosing)) {
    const closing = `The lookup table ${address} is being taken out of use: it may fail soon.`;
    alerts.push({ kind: 'CLOSING_TABLE', message: closing });
  }
  return alerts;
}

function callAlerts(call: DecodedMessageInstruction, words: DescriptionContext): Alert[] {
  const { told } = call;
  if (told === undefined) return unreadAlerts(call);
  const strangers = [...new Set(told.receivers)].filter((address) => !words.isOwn(address));
  return [...told.alerts(words), ...strangers.map((address) => paysOthers(address, words))];
}

function unreadAlerts({ program, programName, name, problem }: DecodedMessageInstruction): Alert[] {
  // neither can do anything to anybody
  if (MEMO_PROGRAMS.includes(program) || programName === 'computeBudget') return [];
  const whose = builtInLabels.get(program) ?? `the program ${program}`;
  if (programName === undefined) {
    return [{ kind: 'UNKNOWN_PROGRAM', message: `What ${whose} does cannot be told.` }];
  }
  const message = `What ${name ?? 'an instruction'} of ${whose} does cannot be told: ${problem}.`;
  return [{ kind: 'UNKNOWN_INSTRUCTION', message }];
}

function paysOthers(address: Address, words: DescriptionContext): Alert {
  const isKnown = words.ownerOf(address) !== undefined;
  const message = isKnown
    ? `What comes out goes to ${words.name(address)}, not to the wallet.`
    : `What comes out goes to ${words.name(address)}, which is not known to be the wallet’s.`;
  return { kind: 'PAYS_OTHERS', message };
}
