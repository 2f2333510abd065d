import { test } from 'vitest';
import {
  expectGuardAccepts,
  expectGuardRejection,
  findInstruction,
  flowFinder,
  type GuardFlow,
  instructionAccount,
  withAccount,
  withAddressReplaced,
  withLoadedAccounts,
  withoutInstruction,
} from '../../../../../test/support/flows/guard-flows.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { accountNames } from '../../../../../test/support/protocol/instruction-account-names.ts';
import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { READ, type Role, WRITE } from '../../base/solana/instruction.ts';
import { userStateAddress } from '../../protocol/farms/pda.ts';
import { initReferrerTokenState } from '../../protocol/klend/instructions/obligations.ts';
import { obligation } from '../../protocol/klend/layout/obligation.ts';
import { userMetadata } from '../../protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress, userMetadataAddress } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../../protocol/klend/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';

const flowOf = flowFinder();
const OTHER_WALLET = numberedAddress(1);
const firstDeposit = flowOf('01');
const borrow = flowOf('02');
const borrowed = instructionAccount(borrow, 'borrowObligationLiquidityV2', 'borrowReserve');
const loan = instructionAccount(borrow, 'refreshObligation', 'obligation');
const { wallet } = borrow;

const withLoan = (flow: GuardFlow, change: Partial<ReturnType<typeof obligation.decode>>) =>
  withAccount(flow, loan, (account) => ({
    ...account,
    data: obligation.encode({ ...obligation.decode(account), ...change }),
  }));

test('an obligation that was not read is taken from the state', () => {
  expectGuardAccepts(withLoadedAccounts(borrow, new Map()));
});

test('a missing obligation, or one of another owner or market, is rejected', () => {
  const reason = `obligation of refreshObligation is ${loan}`;
  expectGuardRejection(
    withLoadedAccounts(borrow, new Map([...borrow.context.accounts, [loan, undefined]])),
    reason,
  );
  expectGuardRejection(withLoan(borrow, { owner: OTHER_WALLET }), reason);
  expectGuardRejection(
    withLoadedAccounts(withLoan(borrow, { owner: OTHER_WALLET }), new Map()),
    reason,
  );
  expectGuardRejection(withLoan(borrow, { lendingMarket: OTHER_WALLET }), reason);
});

test('an obligation of another deployment is rejected', () => {
  const moved = withAccount(borrow, loan, (account) => ({
    ...account,
    owner: KLEND_STAGING_PROGRAM,
  }));
  expectGuardRejection(moved, 'obligation of refreshObligation');
  expectGuardRejection(withLoadedAccounts(moved, new Map()), 'obligation of refreshObligation');
});

test('an account that was read takes precedence over the state', () => {
  const transferred = withLoan(borrow, { owner: OTHER_WALLET });
  expectGuardRejection(
    withLoadedAccounts(borrow, transferred.context.accounts),
    'obligation of refreshObligation',
  );
});

test('a borrow against the loan of another wallet is rejected', () => {
  const { state } = borrow.context;
  const market = instructionAccount(borrow, 'refreshObligation', 'lendingMarket');
  const theirs = [...state.obligationsIn(market)].find(({ fields }) => fields.owner !== wallet);
  const other = theirs?.address ?? ZERO_ADDRESS;
  const farm = instructionAccount(borrow, 'borrowObligationLiquidityV2', 'reserveFarmState');
  const swapped = withAddressReplaced(borrow, loan, other);
  const [ours, others] = [loan, other].map((obligation) => userStateAddress(farm, obligation));
  expectGuardRejection(withAddressReplaced(swapped, ours ?? loan, others ?? other), `is ${other}`);
});

test('a new obligation must be created by the build, for the wallet, at its derived address', () => {
  expectGuardAccepts(firstDeposit);
  expectGuardRejection(withoutInstruction(firstDeposit, 'initObligation'), 'obligation of ');
  const init = findInstruction(firstDeposit, 'initObligation');
  const otherKind = { ...init, data: init.data.with(8, 1) };
  const instructions = firstDeposit.instructions.map((i) => (i === init ? otherKind : i));
  expectGuardRejection({ ...firstDeposit, instructions }, 'obligation of initObligation is');
});

test('metadata with a referrer or a lookup table is rejected', () => {
  const init = findInstruction(firstDeposit, 'initUserMetadata');
  const index = firstDeposit.instructions.indexOf(init);
  const withTable = { ...init, data: init.data.with(20, 1) };
  const tableInstructions = firstDeposit.instructions.with(index, withTable);
  expectGuardRejection({ ...firstDeposit, instructions: tableInstructions }, 'are not allowed');
  const referrer = {
    address: userMetadataAddress(OTHER_WALLET),
    role: init.accounts[3]?.role ?? WRITE,
  };
  const referred = { ...init, accounts: init.accounts.with(3, referrer) };
  const instructions = firstDeposit.instructions.with(index, referred);
  expectGuardRejection(
    { ...firstDeposit, instructions },
    'referrerUserMetadata of initUserMetadata is',
  );
});

const REFERRER = numberedAddress(8);

/** A borrow that pays the loan's referrer and creates the referrer's account. */
function referredBorrow(referrer: Address): GuardFlow {
  const referrerTokenState = referrerTokenStateAddress(referrer, borrowed);
  const init = initReferrerTokenState.build(KLEND_PROGRAM, {
    accounts: {
      payer: wallet,
      lendingMarket: instructionAccount(borrow, 'refreshObligation', 'lendingMarket'),
      reserve: borrowed,
      referrer,
      referrerTokenState,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: {},
  });
  const old = findInstruction(borrow, 'borrowObligationLiquidityV2');
  const slot = accountNames(old).indexOf('referrerTokenState');
  const meta = { address: referrerTokenState, role: WRITE } as const;
  const paying = { ...old, accounts: old.accounts.with(slot, meta) };
  const others = borrow.instructions.map((i) => (i === old ? paying : i));
  return { ...borrow, instructions: [init, ...others] };
}

test('a loan with a referrer is borrowed with the account of that referrer only', () => {
  expectGuardAccepts(withLoan(referredBorrow(REFERRER), { referrer: REFERRER }));
  expectGuardRejection(withLoan(borrow, { referrer: REFERRER }), 'referrerTokenState of borrow');
  expectGuardRejection(referredBorrow(REFERRER), 'referrer of initReferrerTokenState is');
  const other = withLoan(referredBorrow(OTHER_WALLET), { referrer: REFERRER });
  expectGuardRejection(other, 'referrer of initReferrerTokenState is');
  expectGuardRejection(
    withoutInstruction(other, 'initReferrerTokenState'),
    'referrerTokenState of borrow',
  );
});

test("a refresh may list the accounts of the loan's referrer, and no others", () => {
  const refresh = findInstruction(borrow, 'refreshObligation');
  const index = borrow.instructions.indexOf(refresh);
  const reserve = refresh.accounts[2]?.address ?? ZERO_ADDRESS;
  const listing = (referrer: Address, role: Role = WRITE): GuardFlow => {
    const state = { address: referrerTokenStateAddress(referrer, reserve), role };
    const listed = { ...refresh, accounts: [...refresh.accounts, state] };
    const referred = referredBorrow(REFERRER);
    return { ...referred, instructions: referred.instructions.with(index + 1, listed) };
  };
  expectGuardAccepts(withLoan(listing(REFERRER), { referrer: REFERRER }));
  expectGuardRejection(
    withLoan(listing(OTHER_WALLET), { referrer: REFERRER }),
    'refreshObligation has the extra account',
  );
  expectGuardRejection(
    withLoan(listing(REFERRER, READ), { referrer: REFERRER }),
    'refreshObligation has the extra account',
  );
});

test('a new loan has the referrer of the metadata, read or cached', () => {
  const metadata = userMetadataAddress(firstDeposit.wallet);
  const reserve = instructionAccount(firstDeposit, 'refreshReserve', 'reserve');
  const init = initReferrerTokenState.build(KLEND_PROGRAM, {
    accounts: {
      payer: firstDeposit.wallet,
      lendingMarket: instructionAccount(firstDeposit, 'refreshObligation', 'lendingMarket'),
      reserve,
      referrer: REFERRER,
      referrerTokenState: referrerTokenStateAddress(REFERRER, reserve),
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    args: {},
  });
  const later = withoutInstruction(firstDeposit, 'initUserMetadata');
  const flow = { ...later, instructions: [...later.instructions, init] };
  expectGuardRejection(flow, 'referrer of initReferrerTokenState is');
  const walletMetadata = { lookupTable: undefined, referrer: REFERRER };
  expectGuardAccepts({ ...flow, context: { ...flow.context, walletMetadata } });
  const empty = userMetadata.decode({ owner: KLEND_PROGRAM, data: blank(userMetadata) });
  const data = userMetadata.encode({ ...empty, referrer: REFERRER });
  const account = { owner: KLEND_PROGRAM, data, lamports: 1n };
  expectGuardAccepts(
    withLoadedAccounts(flow, new Map([...flow.context.accounts, [metadata, account]])),
  );
});

function blank({ size, discriminator }: { size: number; discriminator: Uint8Array }): Uint8Array {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return data;
}
