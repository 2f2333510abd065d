import { FarmState, Farms } from '@kamino-finance/farms-sdk';
import {
  KaminoAction,
  KaminoManager,
  KaminoMarket,
  KaminoVault,
  numberToLamportsDecimal,
  PROGRAM_ID,
  VanillaObligation,
} from '@kamino-finance/klend-sdk';
import { createNoopSigner, createSolanaRpc } from '@solana/kit';
import Decimal from 'decimal.js';

const SLOT_MS = 400;

/**
 * Each operation twice. By its name, as the client's own examples do it: what it acts on is loaded, then the build is
 * made, which is the only way in which it knows the cluster's present. As `…Kept`, the client at its best: all that is
 * not the wallet's own is loaded once, before, and never again, though a server would have to.
 *
 * @param {import('../build.ts').BuildInput} input
 */
export async function buildTasks({ url, slot, operations, asks }) {
  const rpc = createSolanaRpc(url);
  const tasks = {};
  for (const operation of operations) {
    const wanted = asks[operation].map((ask) => ({ ...ask, owner: createNoopSigner(ask.wallet) }));
    const { load, build } = ways[operation];
    const kept = await load(rpc, wanted[0]);
    tasks[operation] = taskOf(wanted, async (ask) =>
      build({ ...ask, ...(await load(rpc, ask)), rpc, slot }),
    );
    tasks[`${operation}Kept`] = taskOf(wanted, (ask) => build({ ...ask, ...kept, rpc, slot }));
  }
  return tasks;
}

function taskOf(wanted, build) {
  const sample = async () => {
    const built = [];
    for (const ask of wanted) built.push(inOurForm(await build(ask)));
    return built;
  };
  return { inputs: wanted.length, waits: true, run: (input) => build(wanted[input]), sample };
}

const obligation = new VanillaObligation(PROGRAM_ID);

const ways = {
  deposit: lending((props) => KaminoAction.buildDepositTxns(props)),
  borrow: lending((props) => KaminoAction.buildBorrowTxns(props)),
  repay: lending((props) => KaminoAction.buildRepayTxns(props)),
  withdraw: lending((props) => KaminoAction.buildWithdrawTxns(props)),
  vaultDeposit: {
    load: loadVault,
    async build({ owner, amount, manager, loaded, reserves, farm }) {
      const tokens = new Decimal(amount);
      const built = await manager.depositToVaultIxs(owner, loaded, tokens, reserves, farm, null);
      return [...built.depositIxs, ...built.stakeInFarmIfNeededIxs];
    },
  },
  vaultWithdraw: {
    load: loadVault,
    async build({ owner, amount, slot, manager, loaded, reserves, farm }) {
      const built = await manager.withdrawFromVaultIxs(
        ...[owner, loaded, new Decimal(amount), slot, reserves, farm, null],
      );
      return [...built.unstakeFromFarmIfNeededIxs, ...built.withdrawIxs, ...built.postWithdrawIxs];
    },
  },
  /** Told which loan earned them; without that it lists all stakes of the farm. */
  claim: {
    load: loadMarket,
    async build({ rpc, owner, reserve, kaminoMarket }) {
      const { farmCollateral } = kaminoMarket.getReserveByAddress(reserve).state;
      const loan = await obligation.toPda(kaminoMarket.getAddress(), owner.address);
      return new Farms(rpc).claimForUserForFarmAllRewardsIx(
        ...[owner, owner.address, farmCollateral, true, [loan]],
      );
    },
  },
};

function lending(act) {
  return {
    load: loadMarket,
    async build({ owner, reserve, amount, slot, kaminoMarket }) {
      const { decimals } = kaminoMarket.getReserveByAddress(reserve).stats;
      const action = await act({
        kaminoMarket,
        amount: numberToLamportsDecimal(amount, decimals).toFixed(),
        reserveAddress: reserve,
        owner,
        payer: owner,
        obligation,
        useV2Ixs: true,
        scopeRefreshConfig: undefined,
        currentSlot: slot,
      });
      return KaminoAction.actionToIxs(action);
    },
  };
}

async function loadMarket(rpc, { market }) {
  return { kaminoMarket: await KaminoMarket.load(rpc, market, SLOT_MS) };
}

async function loadVault(rpc, { vault }) {
  const manager = new KaminoManager(rpc, SLOT_MS);
  const loaded = new KaminoVault(rpc, vault);
  const state = await loaded.getState();
  const reserves = await manager.loadVaultReserves(state);
  const farm = await FarmState.fetch(rpc, state.vaultFarm);
  return { manager, loaded, reserves, farm };
}

const inOurForm = (instructions) =>
  instructions.map(({ programAddress, accounts = [], data }) => ({
    programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, role })),
    data: Uint8Array.from(data),
  }));
