import { expect, test } from 'vitest';
import { buildFromInputs } from '../../../../../test/support/builders/load-build-context.ts';
import { formatInstruction } from '../../../../../test/support/flows/expected-differences.ts';
import { NOW } from '../../../../../test/support/lending/lending-accounts.ts';
import {
  EXAMPLE_VAULT,
  type ExampleVaultOptions,
  exampleVaultAccounts,
  HOLDER,
  TOKEN_MINT,
} from '../../../../../test/support/vaults/example-vault-accounts.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { kvaultReleases } from '../../protocol/kvault/releases.ts';
import type { Build } from '../build.ts';
import { vaultDepositBuilder } from './vault-deposit-builder.ts';

const deposit = (options: ExampleVaultOptions): Build =>
  buildFromInputs(
    vaultDepositBuilder,
    { wallet: HOLDER, vault: EXAMPLE_VAULT, amount: 5_000_000n },
    exampleVaultAccounts(options),
  );

/** Two shares per lamport. */
const vault = { tokenAvailable: toLamports(10_000_000n), sharesIssued: 20_000_000n };

test('a deposit expects the shares of the last slot in which it can land, less a thousandth', () => {
  const rewardInfo = {
    rewardPerSecond: 50_000n,
    lastIssuanceTs: NOW,
    rewardsAvailable: toLamports(10n ** 12n),
    cumulativeRewardsDistributedAnalytics: toLamports(0n),
    padding: new Uint8Array(64),
  };
  const { instructions, plan } = deposit({ vault: { ...vault, rewardInfo } });
  // in 120 seconds the vault holds 16 million, so that 5 million are worth 6.25 million shares
  expect(instructions.map(formatInstruction)[1]).toBe('depositWithMinSharesOut(5000000, 6243750)');
  expect(plan.receives).toMatchObject([{ amount: 10_000_000n }]);
});

test('a deposit has no minimum of shares by a release without that instruction', () => {
  const { instructions } = deposit({ vault, rules: kvaultReleases[0].rules });
  expect(instructions.map(formatInstruction)).toEqual(['createIdempotent', 'deposit(5000000)']);
});

test('a deposit of more than the cap allows is planned for the rest', () => {
  const capped = { ...vault, depositCap: toLamports(12_000_000n) };
  const { instructions, plan } = deposit({ vault: capped });
  expect(instructions.map(formatInstruction)[1]).toBe('depositWithMinSharesOut(5000000, 3996000)');
  expect(plan.pays).toMatchObject([{ amount: 2_000_000n, certainty: 'about' }]);
  expect(plan.receives).toMatchObject([{ amount: 4_000_000n }]);
  expect(plan.notes).toEqual([
    `The deposit cap of 12 ${TOKEN_MINT} leaves room for a part only: the vault takes about 2 ${TOKEN_MINT} of 5 ${TOKEN_MINT}. The transaction fails if less is left.`,
  ]);
});

test('a deposit into a vault with the largest cap has no note', () => {
  expect(deposit({ vault: { ...vault, depositCap: toLamports(U64_MAX) } }).plan.notes).toEqual([]);
});
