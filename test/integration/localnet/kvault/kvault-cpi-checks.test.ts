import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesToHex } from '#core/base/encoding/bytes.ts';
import { sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { depositReserveLiquidity } from '#core/protocol/klend/instructions/deposits.ts';
import { refreshReservesBatch } from '#core/protocol/klend/instructions/refresh.ts';
import { redeemReserveCollateral } from '#core/protocol/klend/instructions/withdrawals.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { transferChecked } from '#core/protocol/spl/instructions/token-transfer.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import type { InvokeContext, Program } from '#localnet/runtime/program.ts';
import { readAccount, writeAccount } from '#localnet/runtime/typed-accounts.ts';
import { goldenReserve, goldenVault } from '../../../support/golden/golden-addresses.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster, vaultPrograms } from '../../../support/vaults/vault-cluster.ts';
import {
  investInstruction,
  kvaultWithdrawInstruction,
  vaultInstructionAccounts,
  withdrawFromAvailableInstruction,
  withdrawPendingFeesInstruction,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = goldenVault('Steady USDC').address;
const RESERVE = goldenReserve('Main Market', 'USDC').address;
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const USER = numberedAddress(1);
const MILLION = 1_000_000n;

type Override = (call: InvokeContext, original: () => void) => void;

/** The lending program with one modified instruction. */
function createModifiedLending(
  codec: { readonly discriminator: Uint8Array },
  override: Override,
): Program {
  const original = createKlendProgram();
  const start = bytesToHex(codec.discriminator);
  return {
    computeUnits: (data) => original.computeUnits(data),
    run(call) {
      const isOverridden = bytesToHex(call.data.subarray(0, 8)) === start;
      if (isOverridden) override(call, () => original.run(call));
      else original.run(call);
    },
  };
}

function setUp(lending: Program) {
  const cluster = new VaultCluster();
  cluster.programs = vaultPrograms([[KLEND_PROGRAM, lending]]);
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  const accounts = vaultInstructionAccounts(cluster, VAULT);
  cluster.fund(USER, accounts.accounts.tokenMint, MILLION);
  cluster.fund(ADMIN, accounts.accounts.tokenMint, MILLION);
  cluster.fund(USER, accounts.accounts.sharesMint, 200_000n * MILLION);
  return { cluster, accounts };
}

/** Sends one lamport too many from the reserve. */
const sendsMore: Override = (call, original) => {
  original();
  const at = call.metas.map(({ address }) => address);
  const { accounts } = redeemReserveCollateral.decode(call.program, {
    data: call.data,
    accounts: at,
  });
  const sent = transferChecked.build(accounts.liquidityTokenProgram, {
    accounts: {
      source: accounts.reserveLiquiditySupply,
      mint: accounts.reserveLiquidityMint,
      destination: accounts.userDestinationLiquidity,
      authority: accounts.lendingMarketAuthority,
    },
    args: { amount: 1n, decimals: 6 },
  });
  call.invoke(sent, [accounts.lendingMarketAuthority]);
};

test('a reserve that stays stale is rejected', () => {
  const { cluster, accounts } = setUp(createModifiedLending(refreshReservesBatch, () => undefined));
  expect(cluster.run(withdrawFromAvailableInstruction(accounts, USER, MILLION)).error).toEqual(
    instructionError(7023),
  );
});

test('a withdrawal fails if the reserve pays nothing', () => {
  const { cluster, accounts } = setUp(
    createModifiedLending(redeemReserveCollateral, () => undefined),
  );
  const instruction = kvaultWithdrawInstruction(
    accounts,
    { user: USER, reserve: RESERVE },
    100_000n * MILLION,
  );
  expect(cluster.run(instruction).error).toEqual(instructionError(7024));
});

test('a withdrawal fails if the reserve pays one lamport too many', () => {
  const { cluster, accounts } = setUp(createModifiedLending(redeemReserveCollateral, sendsMore));
  const instruction = kvaultWithdrawInstruction(
    accounts,
    { user: USER, reserve: RESERVE },
    100_000n * MILLION,
  );
  expect(cluster.run(instruction).error).toEqual(instructionError(7034));
});

test('so do withdrawPendingFees and invest', () => {
  const { cluster, accounts } = setUp(createModifiedLending(redeemReserveCollateral, sendsMore));
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(100_000n * MILLION) });
  expect(cluster.run(withdrawPendingFeesInstruction(accounts, ADMIN, RESERVE)).error).toEqual(
    instructionError(7005),
  );
  cluster.changeAllocation(VAULT, 0, { targetAllocationWeight: 10n });
  const instruction = investInstruction(accounts, USER, { reserve: RESERVE });
  expect(cluster.run(instruction).error).toEqual(instructionError(2501));
});

test('invest fails if nothing was deposited', () => {
  const { cluster, accounts } = setUp(
    createModifiedLending(depositReserveLiquidity, () => undefined),
  );
  const instruction = investInstruction(accounts, USER, { reserve: RESERVE });
  expect(cluster.run(instruction).error).toEqual(instructionError(2501));
});

test('invest fails if the value of the vault decreases', () => {
  const takesAway: Override = (call, original) => {
    original();
    const fields = readAccount(call, reserveLayout, RESERVE);
    const { liquidity } = fields;
    const borrowedAmountSf = sfFromBits(liquidity.borrowedAmountSf / 2n);
    const poorer = { ...fields, liquidity: { ...liquidity, borrowedAmountSf } };
    writeAccount(call, reserveLayout, { address: RESERVE, fields: poorer });
  };
  const { cluster, accounts } = setUp(createModifiedLending(depositReserveLiquidity, takesAway));
  const instruction = investInstruction(accounts, USER, { reserve: RESERVE });
  expect(cluster.run(instruction).error).toEqual(instructionError(7036));
});
