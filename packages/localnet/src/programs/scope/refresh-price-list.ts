import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import { scopeRejection } from '@tidegate/core/protocol/scope';
import { refreshPriceList } from '@tidegate/core/protocol/scope/instructions';
import {
  type OracleMappings,
  oracleMappings,
  oraclePrices,
  oracleTwaps,
} from '@tidegate/core/protocol/scope/layout';
import { COMPUTE_BUDGET_PROGRAM, INSTRUCTIONS_SYSVAR } from '@tidegate/core/protocol/spl';
import type { InvokeContext } from '../../runtime/program.ts';
import { readAccount } from '../../runtime/typed-accounts.ts';
import {
  anchorFailure,
  anchorHandler,
  type InstructionHandler,
} from '../framework/anchor-program.ts';

const UNITS = 15_000;

/**
 * Price sources do not exist on this cluster, so every entry fails as with an empty account: a
 * single entry fails the instruction, several are skipped.
 */
export const refreshPriceListHandler: InstructionHandler = anchorHandler(
  refreshPriceList,
  UNITS,
  ({ accounts, list, remaining }, call) => {
    const mappings = checkAccounts(call, accounts);
    checkPosition(call);
    if (list.length === 0) throw scopeRejection('EmptyTokenList', 'no entry is given');
    if (list.length > remaining.length) {
      const reason = `${remaining.length} accounts are given for ${list.length} entries`;
      throw scopeRejection('AccountsAndTokenMismatch', reason);
    }
    list.forEach((token, i) => {
      skipEntry(call, mappings, { token, account: remaining[i], isOnly: list.length === 1 });
    });
  },
);

type Accounts = ReturnType<typeof refreshPriceList.decode>['accounts'];

function checkAccounts(call: InvokeContext, accounts: Accounts): OracleMappings {
  const prices = readAccount(call, oraclePrices, accounts.oraclePrices);
  const mappings = readAccount(call, oracleMappings, accounts.oracleMappings);
  const twaps = readAccount(call, oracleTwaps, accounts.oracleTwaps);
  if (prices.oracleMappings !== accounts.oracleMappings) {
    throw anchorFailure(call, 'ConstraintHasOne', 'oraclePrices');
  }
  const isOfFeed =
    twaps.oraclePrices === accounts.oraclePrices &&
    twaps.oracleMappings === accounts.oracleMappings;
  if (!isOfFeed) throw anchorFailure(call, 'ConstraintHasOne', 'oracleTwaps');
  if (accounts.instructionSysvarAccountInfo !== INSTRUCTIONS_SYSVAR) {
    throw anchorFailure(call, 'ConstraintAddress', 'instructionSysvarAccountInfo');
  }
  return mappings;
}

/** Must be a top-level instruction with only compute budget instructions before it. */
function checkPosition(call: InvokeContext): void {
  if (call.stackHeight > 1) throw scopeRejection('RefreshInCPI', 'a program calls it');
  const before = call.instructions.slice(0, call.index);
  const other = before.find(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM);
  if (other === undefined) return;
  const reason = `the program ${other.programAddress} comes before it`;
  throw scopeRejection('RefreshWithUnexpectedIxs', reason);
}

type Entry = {
  readonly token: number;
  readonly account: Address | undefined;
  readonly isOnly: boolean;
};

function skipEntry(
  call: InvokeContext,
  mappings: OracleMappings,
  { token, account, isOnly }: Entry,
): void {
  const source = mappings.priceInfoAccounts[token];
  if (source === undefined) throw scopeRejection('BadTokenNb', `there is no entry ${token}`);
  if (source === ZERO_ADDRESS) {
    call.log(`Skipping token ${token} as no mapping is set`);
    return;
  }
  if (source !== account) {
    const reason = `Invalid price account: ${account}, expected: ${source}`;
    throw scopeRejection('UnexpectedAccount', reason);
  }
  if (isOnly) {
    const reason = `the source ${source} of entry ${token} is not on this cluster`;
    throw scopeRejection('UnableToDeserializeAccount', reason);
  }
  call.log(`Price skipped as validation failed (token ${token})`);
}
