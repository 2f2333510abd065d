import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { scopeRefuses } from '@tidegate/core/protocol/scope';
import { refreshPriceList } from '@tidegate/core/protocol/scope/instructions';
import {
  type OracleMappings,
  oracleMappings,
  oraclePrices,
  oracleTwaps,
} from '@tidegate/core/protocol/scope/layout';
import { COMPUTE_BUDGET_PROGRAM, INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { Call } from '../../runtime/program.ts';
import { readFields } from '../../runtime/typed-accounts.ts';
import { anchorFails, type Handler, handles } from '../framework/anchor-program.ts';

const UNITS = 15_000;

/**
 * No source of a price lives on this cluster, so that every entry fails as it does where its account is empty:
 * one alone fails the instruction, several are skipped.
 */
export const refreshPriceListHandler: Handler = handles(
  refreshPriceList,
  UNITS,
  ({ accounts, list, remaining }, call) => {
    const mappings = checkAccounts(call, accounts);
    checkPosition(call);
    if (list.length === 0) throw scopeRefuses('EmptyTokenList', 'no entry is given');
    if (list.length > remaining.length) {
      const reason = `${remaining.length} accounts are given for ${list.length} entries`;
      throw scopeRefuses('AccountsAndTokenMismatch', reason);
    }
    list.forEach((token, i) => {
      skipEntry(call, mappings, { token, given: remaining[i], isAlone: list.length === 1 });
    });
  },
);

type Accounts = ReturnType<typeof refreshPriceList.decode>['accounts'];

function checkAccounts(call: Call, accounts: Accounts): OracleMappings {
  const prices = readFields(call, oraclePrices, accounts.oraclePrices);
  const mappings = readFields(call, oracleMappings, accounts.oracleMappings);
  const twaps = readFields(call, oracleTwaps, accounts.oracleTwaps);
  if (prices.oracleMappings !== accounts.oracleMappings) {
    throw anchorFails(call, 'ConstraintHasOne', 'oraclePrices');
  }
  const isOfFeed =
    twaps.oraclePrices === accounts.oraclePrices &&
    twaps.oracleMappings === accounts.oracleMappings;
  if (!isOfFeed) throw anchorFails(call, 'ConstraintHasOne', 'oracleTwaps');
  if (accounts.instructionSysvarAccountInfo !== INSTRUCTIONS_SYSVAR) {
    throw anchorFails(call, 'ConstraintAddress', 'instructionSysvarAccountInfo');
  }
  return mappings;
}

/** An instruction of the transaction itself, with nothing but its budget before it. */
function checkPosition(call: Call): void {
  if (call.stackHeight > 1) throw scopeRefuses('RefreshInCPI', 'a program calls it');
  const before = call.instructions.slice(0, call.index);
  const other = before.find(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM);
  if (other === undefined) return;
  const reason = `the program ${other.programAddress} comes before it`;
  throw scopeRefuses('RefreshWithUnexpectedIxs', reason);
}

type Entry = {
  readonly token: number;
  readonly given: Address | undefined;
  readonly isAlone: boolean;
};

function skipEntry(call: Call, mappings: OracleMappings, { token, given, isAlone }: Entry): void {
  const source = mappings.priceInfoAccounts[token];
  if (source === undefined) throw scopeRefuses('BadTokenNb', `there is no entry ${token}`);
  if (source === ZERO_ADDRESS) {
    call.log(`Skipping token ${token} as no mapping is set`);
    return;
  }
  if (source !== given) {
    const reason = `Invalid price account: ${given}, expected: ${source}`;
    throw scopeRefuses('UnexpectedAccount', reason);
  }
  if (isAlone) {
    const reason = `the source ${source} of entry ${token} is not on this cluster`;
    throw scopeRefuses('UnableToDeserializeAccount', reason);
  }
  call.log(`Price skipped as validation failed (token ${token})`);
}
