import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { type FarmsEvent, readFarmsEvents } from '../../protocol/farms/events.ts';
import type { KlendEvent } from '../../protocol/klend/events/klend-event.ts';
import { type LoggedPrice, readLoggedPrices } from '../../protocol/klend/events/logged-prices.ts';
import { readKlendEvents } from '../../protocol/klend/events.ts';
import { emittedEventName } from '../../protocol/kvault/events/emitted-events.ts';
import { type KvaultEvent, readKvaultEvents } from '../../protocol/kvault/events.ts';
import { type Call, parseCallLogs } from '../../protocol/spl/transaction/call-tree.ts';
import { parseTransaction, type Transaction } from '../../protocol/spl/transaction/transaction.ts';
import { findKnownProgram, type ProgramName } from './known-programs.ts';
import { type TransactionFailure, viewFailure } from './transaction-failure.ts';

/** A decoded transaction. */
export type TransactionView = Omit<Transaction, 'calls' | 'error' | 'hasInnerCalls'> & {
  readonly instructions: readonly InstructionView[];
  /** In the order of execution; empty for a failed transaction. */
  readonly events: readonly TransactionEvent[];
  /** The prices that the lending program used, in the order of execution; empty for a failed transaction. */
  readonly loggedPrices: readonly LoggedPrice[];
  readonly failure: TransactionFailure | undefined;
};

export type InstructionView = Omit<Call, 'program' | 'children'> & {
  readonly programAddress: Address;
  /** Undefined for an unknown program or instruction. */
  readonly program: ProgramName | undefined;
  readonly name: string | undefined;
  readonly children: readonly InstructionView[];
};

export type TransactionEvent = (KlendEvent | KvaultEvent | FarmsEvent) & {
  /**
   * The calling program; undefined for a top-level instruction. Calls by the vault program are made
   * for the vault, not for a user.
   */
  readonly via: ProgramName | 'other' | undefined;
};

/** Decodes the `result` of `getTransaction`. */
export function viewTransaction(response: unknown): TransactionView {
  const transaction = parseTransaction(response);
  const { calls, error, hasInnerCalls, ...rest } = transaction;
  if (error === undefined && !hasInnerCalls) {
    const reason = 'the node did not record inner instructions';
    throw new CodedError('MALFORMED_DATA', { what: 'transaction', reason });
  }
  const logged = error === undefined ? readLogged(transaction) : NOTHING_LOGGED;
  return {
    ...rest,
    instructions: calls.map(viewInstruction),
    ...logged,
    failure: error && viewFailure(error, transaction),
  };
}

function viewInstruction(call: Call): InstructionView {
  const { program, children, ...rest } = call;
  const known = findKnownProgram(program);
  return {
    ...rest,
    programAddress: program,
    program: known?.name,
    name: known?.nameOf(call.data) ?? emittedName(known?.name, call),
    children: children.map(viewInstruction),
  };
}

function emittedName(program: ProgramName | undefined, call: Call): string | undefined {
  return program === 'kvault' ? emittedEventName(call) : undefined;
}

type Logged = Pick<TransactionView, 'events' | 'loggedPrices'>;

const NOTHING_LOGGED: Logged = { events: [], loggedPrices: [] };

/** What the calls did, with the lines that they logged. */
function readLogged({ calls, logs }: Transaction): Logged {
  const loggedCalls = parseCallLogs(logs) ?? [];
  const nextOf = new Map<Address, number>();
  /** The n-th call of a program wrote its n-th block of lines; some native programs write none. */
  const takeLogs = ({ program }: Call): readonly string[] => {
    const from = nextOf.get(program) ?? 0;
    const at = loggedCalls.findIndex((each, i) => i >= from && each.program === program);
    nextOf.set(program, at === -1 ? loggedCalls.length : at + 1);
    return loggedCalls[at]?.lines ?? [];
  };
  const all = calls.flatMap((call) => readCall(call, undefined, takeLogs));
  return {
    events: all.flatMap(({ events }) => events),
    loggedPrices: all.flatMap(({ loggedPrices }) => loggedPrices),
  };
}

type LogReader = (call: Call) => readonly string[];

/** Callers come before their calls. */
function readCall(call: Call, via: TransactionEvent['via'], takeLogs: LogReader): Logged[] {
  const name = findKnownProgram(call.program)?.name;
  const logs = takeLogs(call);
  const events = readEvents(name, call, logs).map((event) => ({ ...event, via }));
  const loggedPrices = name === 'klend' ? readLoggedPrices(call, logs) : [];
  return [
    { events, loggedPrices },
    ...call.children.flatMap((child) => readCall(child, name ?? 'other', takeLogs)),
  ];
}

function readEvents(
  program: ProgramName | undefined,
  call: Call,
  logs: readonly string[],
): readonly (KlendEvent | KvaultEvent | FarmsEvent)[] {
  switch (program) {
    case 'klend':
      return readKlendEvents(call, logs);
    case 'kvault':
      return readKvaultEvents(call);
    case 'farms':
      return readFarmsEvents(call);
    default:
      return [];
  }
}
