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
import { initReferrerTokenState } from '../../protocol/klend/instructions/init-referrer-token-state.ts';
import { obligation } from '../../protocol/klend/layout/obligation.ts';
import { userMetadata } from '../../protocol/klend/layout/user-metadata.ts';
import { referrerTokenStateAddress, userMetadataAddress } from '../../protocol/klend/pda.ts';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '../../protocol/klend/program.ts';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';

const flowOf = flowFinder();
const STRANGER = numberedAddress(1);
const firstDeposit = flowOf('01');
const borrow = flowOf('02');
const borrowed = instructionAccount(borrow, 'borrowObligationLiquidityV2', 'borrowReserve');
const loan = instructionAccount(borrow, 'refreshObligation', 'obligation');
const { wallet } = borrow;

const editLoan = (flow: GuardFlow, change: Partial<ReturnType<typeof obligation.decode>>) =>
  withAccount(flow, loan, (account) => ({
    ...account,
    data: obligation.encode({ ...obligation.decode(account), ...change }),
  }));

test('an obligation that was not read is taken as state has it', () => {
  expectGuardAccepts(withLoadedAccounts(borrow, new Map()));
});

test('an obligation that is gone, of another owner or of another market is refused', () => {
  const because = `obligation of refreshObligation is ${loan}`;
  expectGuardRejection(
    withLoadedAccounts(borrow, new Map([...borrow.scene.accounts, [loan, undefined]])),
    because,
  );
  expectGuardRejection(editLoan(borrow, { owner: STRANGER }), because);
  expectGuardRejection(
    withLoadedAccounts(editLoan(borrow, { owner: STRANGER }), new Map()),
    because,
  );
  expectGuardRejection(editLoan(borrow, { lendingMarket: STRANGER }), because);
});

test('an obligation of another deployment is refused', () => {
  const moved = withAccount(borrow, loan, (account) => ({
    ...account,
    owner: KLEND_STAGING_PROGRAM,
  }));
  expectGuardRejection(moved, 'obligation of refreshObligation');
  expectGuardRejection(withLoadedAccounts(moved, new Map()), 'obligation of refreshObligation');
});

test('what was read goes before what state has', () => {
  const taken = editLoan(borrow, { owner: STRANGER });
  expectGuardRejection(
    withLoadedAccounts(borrow, taken.scene.accounts),
    'obligation of refreshObligation',
  );
});

test('a borrow against the loan of another wallet is refused, its farm and all', () => {
  const { state } = borrow.scene;
  const market = instructionAccount(borrow, 'refreshObligation', 'lendingMarket');
  const theirs = [...state.obligationsIn(market)].find(({ fields }) => fields.owner !== wallet);
  const other = theirs?.address ?? ZERO_ADDRESS;
  const farm = instructionAccount(borrow, 'borrowObligationLiquidityV2', 'reserveFarmState');
  const swapped = withAddressReplaced(borrow, loan, other);
  const [ours, others] = [loan, other].map((of) => userStateAddress(farm, of));
  expectGuardRejection(withAddressReplaced(swapped, ours ?? loan, others ?? other), `is ${other}`);
});

test('a new obligation must be made by the build, for the wallet, at the address of its kind', () => {
  expectGuardAccepts(firstDeposit);
  expectGuardRejection(withoutInstruction(firstDeposit, 'initObligation'), 'obligation of ');
  const init = findInstruction(firstDeposit, 'initObligation');
  const otherKind = { ...init, data: init.data.with(8, 1) };
  const instructions = firstDeposit.instructions.map((i) => (i === init ? otherKind : i));
  expectGuardRejection({ ...firstDeposit, instructions }, 'obligation of initObligation is');
});

test('metadata with a referrer or a lookup table is not what we make', () => {
  const init = findInstruction(firstDeposit, 'initUserMetadata');
  const place = firstDeposit.instructions.indexOf(init);
  const withTable = { ...init, data: init.data.with(20, 1) };
  const tabled = firstDeposit.instructions.with(place, withTable);
  expectGuardRejection({ ...firstDeposit, instructions: tabled }, 'arguments that we do not give');
  const referrer = {
    address: userMetadataAddress(STRANGER),
    role: init.accounts[3]?.role ?? WRITE,
  };
  const referred = { ...init, accounts: init.accounts.with(3, referrer) };
  const instructions = firstDeposit.instructions.with(place, referred);
  expectGuardRejection(
    { ...firstDeposit, instructions },
    'referrerUserMetadata of initUserMetadata is',
  );
});

const REFERRER = numberedAddress(8);

/** A borrow that pays the referrer of the loan, and makes his state for it. */
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

test('a loan with a referrer is borrowed with his state, and with no other', () => {
  expectGuardAccepts(editLoan(referredBorrow(REFERRER), { referrer: REFERRER }));
  expectGuardRejection(editLoan(borrow, { referrer: REFERRER }), 'referrerTokenState of borrow');
  expectGuardRejection(referredBorrow(REFERRER), 'referrer of initReferrerTokenState is');
  const other = editLoan(referredBorrow(STRANGER), { referrer: REFERRER });
  expectGuardRejection(other, 'referrer of initReferrerTokenState is');
  expectGuardRejection(
    withoutInstruction(other, 'initReferrerTokenState'),
    'referrerTokenState of borrow',
  );
});

test('a refresh may list the states of the referrer of the loan, and of nobody else', () => {
  const refresh = findInstruction(borrow, 'refreshObligation');
  const place = borrow.instructions.indexOf(refresh);
  const reserve = refresh.accounts[2]?.address ?? ZERO_ADDRESS;
  const listing = (referrer: Address, role: Role = WRITE): GuardFlow => {
    const state = { address: referrerTokenStateAddress(referrer, reserve), role };
    const listed = { ...refresh, accounts: [...refresh.accounts, state] };
    const referred = referredBorrow(REFERRER);
    return { ...referred, instructions: referred.instructions.with(place + 1, listed) };
  };
  expectGuardAccepts(editLoan(listing(REFERRER), { referrer: REFERRER }));
  expectGuardRejection(
    editLoan(listing(STRANGER), { referrer: REFERRER }),
    'refreshObligation is given',
  );
  expectGuardRejection(
    editLoan(listing(REFERRER, READ), { referrer: REFERRER }),
    'refreshObligation is given',
  );
});

test('a new loan has the referrer of the metadata, as read or as remembered', () => {
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
  const facts = { lookupTable: undefined, referrer: REFERRER };
  expectGuardAccepts({ ...flow, scene: { ...flow.scene, facts } });
  const empty = userMetadata.decode({ owner: KLEND_PROGRAM, data: blank(userMetadata) });
  const data = userMetadata.encode({ ...empty, referrer: REFERRER });
  const account = { owner: KLEND_PROGRAM, data, lamports: 1n };
  expectGuardAccepts(
    withLoadedAccounts(flow, new Map([...flow.scene.accounts, [metadata, account]])),
  );
});

function blank({ size, discriminator }: { size: number; discriminator: Uint8Array }): Uint8Array {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return data;
}
