import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import { globalConfigAddress } from '#core/protocol/kvault/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { goldenCluster } from '../../../support/golden/golden.ts';
import { goldenReserve, goldenVault } from '../../../support/golden/golden-addresses.ts';
import { assertProperty } from '../../../support/properties/assert-property.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';
import { VaultCluster } from '../../../support/vaults/vault-cluster.ts';
import {
  giveUpPendingFeesInstruction,
  investInstruction,
  kvaultDepositInstruction,
  kvaultWithdrawInstruction,
  redeemInKindInstruction,
  type VaultInstructionAccounts,
  vaultInstructionAccounts,
  withdrawFromAvailableInstruction,
  withdrawPendingFeesInstruction,
} from '../../../support/vaults/vault-instructions.ts';
import {
  collateralValueSf,
  referenceNetAssetsSf,
} from '../../../support/vaults/vault-reference.ts';

const VAULT = goldenVault('Steady USDC').address;
const ADMIN = toAddress('2da5wh8NUSM5uLLq4vDNgQieUnPAf7RuYiFZfTZ9YzAZ');
const RESERVES = [
  goldenReserve('Main Market', 'USDC').address,
  goldenReserve('JLP Market', 'USDC').address,
] as const;
const WALLETS = [1, 2, 3].map(numberedAddress);
const BITS = 60n;
/** Rounding tolerance in parts of 2^60 lamports. */
const DUST = 64n;

type Operation =
  | { readonly kind: 'deposit'; readonly wallet: Address; readonly amount: bigint }
  | {
      readonly kind: 'fromAvailable' | 'withdraw' | 'inKind';
      readonly wallet: Address;
      readonly reserve: Address;
      /** In thousandths. */
      readonly part: bigint;
    }
  | { readonly kind: 'invest' | 'fees'; readonly reserve: Address }
  | { readonly kind: 'wait'; readonly slots: bigint };

const wallet = fc.constantFrom(...WALLETS);
const reserve = fc.constantFrom(...RESERVES);
const part = fc.bigInt(0n, 1000n);
/** Zero, or enough for the crank fee: less makes the program panic. */
const amount = fc.oneof(fc.constant(0n), fc.bigInt(10n, 5_000n), fc.bigInt(10n, 1n << 42n));

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ kind: fc.constant('deposit'), wallet, amount }),
  fc.record({
    kind: fc.constantFrom('fromAvailable', 'withdraw', 'inKind'),
    wallet,
    reserve,
    part,
  }),
  fc.record({ kind: fc.constantFrom('invest', 'fees'), reserve }),
  fc.record({ kind: fc.constant('wait'), slots: fc.bigInt(1n, 1_000_000n) }),
);

/** The costs of withdrawing and investing. */
const terms = fc.record({
  withdrawalPenaltyBps: fc.constantFrom(0n, 30n),
  withdrawalPenaltyLamports: fc.constantFrom(0n, 7n).map(toLamports),
  crankFundFeePerReserve: fc.constantFrom(0n, 3n).map(toLamports),
});

const tokenOf = (owner: Address, mint: Address) =>
  associatedTokenAddress(owner, mint, TOKEN_PROGRAM);

function request(
  cluster: VaultCluster,
  setup: VaultInstructionAccounts,
  operation: Exclude<Operation, { kind: 'wait' }>,
) {
  if (operation.kind === 'deposit')
    return kvaultDepositInstruction(setup, operation.wallet, operation.amount);
  if (!('part' in operation)) {
    return operation.kind === 'invest'
      ? investInstruction(setup, ADMIN, operation)
      : withdrawPendingFeesInstruction(setup, ADMIN, operation.reserve);
  }
  const shares =
    (cluster.balance(tokenOf(operation.wallet, setup.accounts.sharesMint)) * operation.part) /
    1000n;
  const from = { user: operation.wallet, reserve: operation.reserve };
  if (operation.kind === 'fromAvailable')
    return withdrawFromAvailableInstruction(setup, operation.wallet, shares);
  return operation.kind === 'withdraw'
    ? kvaultWithdrawInstruction(setup, from, shares)
    : redeemInKindInstruction(setup, from, shares);
}

/** Total of the token over all accounts that may have changed. */
function allTokens(cluster: VaultCluster, setup: VaultInstructionAccounts): bigint {
  const { tokenMint, tokenVault } = setup.accounts;
  const tokenAccounts = [
    tokenVault,
    ...RESERVES.map((each) => setup.lending(each).reserveLiquiditySupply),
    ...[...WALLETS, ADMIN].map((each) => tokenOf(each, tokenMint)),
  ];
  return tokenAccounts.reduce((sum, account) => sum + cluster.balance(account), 0n);
}

const sharesOf = (cluster: VaultCluster, setup: VaultInstructionAccounts): bigint[] =>
  WALLETS.map((each) => cluster.balance(tokenOf(each, setup.accounts.sharesMint)));

/** The vault's accounting matches the token balances, and every token has an owner. */
function checkAccounting(
  cluster: VaultCluster,
  setup: VaultInstructionAccounts,
  elsewhere: bigint,
): void {
  const vault = cluster.vault(VAULT);
  const { tokenVault, sharesMint } = setup.accounts;
  expect(cluster.balance(tokenVault)).toBe(vault.tokenAvailable + vault.availableCrankFunds);
  expect(cluster.supply(sharesMint)).toBe(vault.sharesIssued);
  RESERVES.forEach((each, i) => {
    const { ctokenVault } = setup.lending(each);
    const { ctokenAllocation } = vault.vaultAllocationStrategy[i] ?? {};
    expect(cluster.balance(ctokenVault)).toBe(ctokenAllocation);
  });
  const holders = [...sharesOf(cluster, setup), elsewhere];
  expect(holders.reduce((sum, shares) => sum + shares, 0n)).toBe(vault.sharesIssued);
  const assets = referenceNetAssetsSf(cluster, VAULT);
  const worth = holders.map((shares) => (shares * assets) / vault.sharesIssued);
  const total = worth.reduce((sum, each) => sum + each, 0n);
  expect(assets - total).toBeLessThan(BigInt(holders.length));
  expect(assets).toBeGreaterThan(0n);
}

/** A wallet's tokens, shares, and the value of its cTokens times 2^60. */
function pocket(cluster: VaultCluster, setup: VaultInstructionAccounts, owner: Address) {
  const { tokenMint, sharesMint } = setup.accounts;
  const ctokens = RESERVES.map((each) => {
    const holdings = cluster.balance(tokenOf(owner, setup.lending(each).reserveCollateralMint));
    return collateralValueSf(cluster, each, holdings);
  });
  return {
    tokens: cluster.balance(tokenOf(owner, tokenMint)) << BITS,
    ctokens: ctokens.reduce((sum, each) => sum + each, 0n),
    shares: cluster.balance(tokenOf(owner, sharesMint)),
  };
}

type Holdings = ReturnType<typeof pocket>;

/**
 * A buyer pays the share price, and a seller gets it less the penalty: within a few lamports, never
 * more.
 */
function checkPrice(
  cluster: VaultCluster,
  [before, after]: readonly [Holdings, Holdings],
  price: {
    readonly assets: bigint;
    readonly issued: bigint;
    readonly requestedShares: bigint | 'in kind';
  },
): void {
  const worth = (shares: bigint) => (shares * price.assets) / price.issued;
  const gain = after.tokens + after.ctokens - before.tokens - before.ctokens;
  const vault = cluster.vault(VAULT);
  const config = globalConfig.decode(cluster.get(globalConfigAddress()));
  const larger = (a: bigint, b: bigint) => (a > b ? a : b);
  const bps = larger(vault.withdrawalPenaltyBps, config.withdrawalPenaltyBps);
  const min = larger(vault.withdrawalPenaltyLamports, config.withdrawalPenaltyLamports) << BITS;
  // In kind on the payout, otherwise on the requested amount.
  const share =
    price.requestedShares === 'in kind'
      ? (gain * bps) / (10_000n - bps)
      : (worth(price.requestedShares) * bps) / 10_000n;
  const penalty = larger(share, min);
  const crank = 2n * vault.crankFundFeePerReserve;
  const cost = gain < 0n ? crank << BITS : penalty;
  const lost = worth(before.shares - after.shares) - gain - cost;
  expect(lost).toBeGreaterThan(-DUST - (1n << BITS));
  expect(lost).toBeLessThan((4n << BITS) + worth(2n));
  expect(worth(before.shares - after.shares) - gain).toBeGreaterThan(-DUST);
}

/** A known rejection, which changes nothing. */
const EXPECTED = [7000, 7004, 7013, 7026, 7038, 7039, 7040, 7045, 7049, 7050, 6008, 6064, 1];

function step(
  cluster: VaultCluster,
  setup: VaultInstructionAccounts,
  operation: Operation,
): boolean {
  if (operation.kind === 'wait') {
    cluster.wait(operation.slots);
    return true;
  }
  // Accrues interest and fees first, so that only the operation is measured.
  expect(cluster.run(giveUpPendingFeesInstruction(setup, ADMIN, 0n)).error).toBeUndefined();
  const assets = referenceNetAssetsSf(cluster, VAULT);
  const issued = cluster.vault(VAULT).sharesIssued;
  const owner = 'wallet' in operation ? operation.wallet : ADMIN;
  const before = pocket(cluster, setup, owner);
  const instruction: Instruction = request(cluster, setup, operation);
  const { error } = cluster.run(instruction);
  if (error !== undefined) {
    const code = JSON.stringify(error).match(/"Custom":(\d+)/)?.[1];
    expect(EXPECTED).toContain(Number(code));
    return false;
  }
  const remaining = cluster.vault(VAULT).sharesIssued;
  expect(referenceNetAssetsSf(cluster, VAULT) * issued + DUST * issued).toBeGreaterThanOrEqual(
    assets * remaining,
  );
  if ('wallet' in operation) {
    const part = 'part' in operation ? (before.shares * operation.part) / 1000n : 0n;
    const requestedShares = operation.kind === 'inKind' ? 'in kind' : part;
    const after = pocket(cluster, setup, owner);
    checkPrice(cluster, [before, after], { assets, issued, requestedShares });
  }
  return true;
}

test('property: the accounting stays correct, and nobody gains by any sequence of operations', () => {
  const golden = goldenCluster();
  let done = 0;
  assertProperty(
    fc.property(
      terms,
      fc.array(operations, { minLength: 10, maxLength: 25 }),
      (changes, sequence) => {
        const cluster = new VaultCluster(golden);
        cluster.changeVault(VAULT, { ...changes, minInvestDelaySlots: 10n });
        const setup = vaultInstructionAccounts(cluster, VAULT);
        const { tokenMint, sharesMint } = setup.accounts;
        for (const owner of [...WALLETS, ADMIN]) {
          cluster.fund(owner, tokenMint, 1n << 41n);
          cluster.fund(owner, sharesMint, 0n);
          for (const each of RESERVES) {
            cluster.fund(owner, setup.lending(each).reserveCollateralMint, 0n);
          }
        }
        const elsewhere = cluster.vault(VAULT).sharesIssued;
        const tokens = allTokens(cluster, setup);
        for (const operation of sequence) {
          if (step(cluster, setup, operation)) done++;
          checkAccounting(cluster, setup, elsewhere);
          expect(allTokens(cluster, setup)).toBe(tokens);
        }
      },
    ),
    30,
  );
  expect(done).toBeGreaterThan(100);
});
