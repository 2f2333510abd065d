import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { bytesToHex } from '#core/base/encoding/bytes.ts';
import { sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { depositReserveLiquidity } from '#core/protocol/klend/instructions/deposit-reserve-liquidity.ts';
import { redeemReserveCollateral } from '#core/protocol/klend/instructions/redeem-reserve-collateral.ts';
import { refreshReservesBatch } from '#core/protocol/klend/instructions/refresh-reserves-batch.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { transferChecked } from '#core/protocol/spl/instructions/transfer-checked.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import type { InvokeContext, Program } from '#localnet/runtime/program.ts';
import { readAccount, writeAccount } from '#localnet/runtime/typed-accounts.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster, vaultPrograms } from '../../../support/vaults/vault-cluster.ts';
import {
  investInstruction,
  kvaultWithdrawInstruction,
  vaultInstructionAccounts,
  withdrawFromAvailableInstruction,
  withdrawPendingFeesInstruction,
} from '../../../support/vaults/vault-instructions.ts';

const VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');
const RESERVE = toAddress('EFgyTYM3phbLR5fPdTHVroHLqLeJFveYqR7r8Bjbmws9');
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const USER = numberedAddress(1);
const MILLION = 1_000_000n;

type Twist = (call: InvokeContext, honest: () => void) => void;

/** The lending program, which does something else at one of its instructions. */
function lendingWith(codec: { readonly discriminator: Uint8Array }, twist: Twist): Program {
  const honest = createKlendProgram();
  const start = bytesToHex(codec.discriminator);
  return {
    computeUnits: (data) => honest.computeUnits(data),
    run(call) {
      const isTwisted = bytesToHex(call.data.subarray(0, 8)) === start;
      if (isTwisted) twist(call, () => honest.run(call));
      else honest.run(call);
    },
  };
}

function scene(lending: Program) {
  const cluster = new VaultCluster();
  cluster.programs = vaultPrograms([[KLEND_PROGRAM, lending]]);
  cluster.changeVault(VAULT, { performanceFeeBps: 0n, managementFeeBps: 0n });
  const accounts = vaultInstructionAccounts(cluster, VAULT);
  cluster.fund(USER, accounts.accounts.tokenMint, MILLION);
  cluster.fund(ADMIN, accounts.accounts.tokenMint, MILLION);
  cluster.fund(USER, accounts.accounts.sharesMint, 200_000n * MILLION);
  return { cluster, accounts };
}

const refused = (code: number) => ({ InstructionError: [0, { Custom: code }] });

/** The lending program sends a lamport more than it should out of the reserve. */
const sendsMore: Twist = (call, honest) => {
  honest();
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

test('a reserve that stays stale is refused', () => {
  const { cluster, accounts } = scene(lendingWith(refreshReservesBatch, () => undefined));
  expect(cluster.run(withdrawFromAvailableInstruction(accounts, USER, MILLION)).error).toEqual(
    refused(7023),
  );
});

test('a withdrawal does not pay what the reserve did not give', () => {
  const { cluster, accounts } = scene(lendingWith(redeemReserveCollateral, () => undefined));
  const asked = kvaultWithdrawInstruction(
    accounts,
    { user: USER, reserve: RESERVE },
    100_000n * MILLION,
  );
  expect(cluster.run(asked).error).toEqual(refused(7024));
});

test('a withdrawal knows to the lamport what the reserve gives', () => {
  const { cluster, accounts } = scene(lendingWith(redeemReserveCollateral, sendsMore));
  const asked = kvaultWithdrawInstruction(
    accounts,
    { user: USER, reserve: RESERVE },
    100_000n * MILLION,
  );
  expect(cluster.run(asked).error).toEqual(refused(7034));
});

test('so do fees and invest', () => {
  const { cluster, accounts } = scene(lendingWith(redeemReserveCollateral, sendsMore));
  cluster.changeVault(VAULT, { pendingFeesSf: sfFromInt(100_000n * MILLION) });
  expect(cluster.run(withdrawPendingFeesInstruction(accounts, ADMIN, RESERVE)).error).toEqual(
    refused(7005),
  );
  cluster.changeAllocation(VAULT, 0, { targetAllocationWeight: 10n });
  const asked = investInstruction(accounts, USER, { reserve: RESERVE });
  expect(cluster.run(asked).error).toEqual(refused(2501));
});

test('invest is refused where nothing was lent', () => {
  const { cluster, accounts } = scene(lendingWith(depositReserveLiquidity, () => undefined));
  const asked = investInstruction(accounts, USER, { reserve: RESERVE });
  expect(cluster.run(asked).error).toEqual(refused(2501));
});

test('invest must not make the vault poorer', () => {
  const takesAway: Twist = (call, honest) => {
    honest();
    const fields = readAccount(call, reserveLayout, RESERVE);
    const { liquidity } = fields;
    const borrowedAmountSf = sfFromBits(liquidity.borrowedAmountSf / 2n);
    const poorer = { ...fields, liquidity: { ...liquidity, borrowedAmountSf } };
    writeAccount(call, reserveLayout, { address: RESERVE, fields: poorer });
  };
  const { cluster, accounts } = scene(lendingWith(depositReserveLiquidity, takesAway));
  const asked = investInstruction(accounts, USER, { reserve: RESERVE });
  expect(cluster.run(asked).error).toEqual(refused(7036));
});
