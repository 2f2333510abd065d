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
 * Each operation twice. Under its name as in the SDK's own examples: load the market or vault, then build, which is the
 * only way to use current data. As `…Cached` at its best: everything but the wallet's own accounts is loaded once and
 * never again, although a server would have to.
 *
 * @param {import('../build.ts').BuildInput} input
 */
export async function buildTasks({ url, slot, operations, requests }) {
  const rpc = createSolanaRpc(url);
  const tasks = {};
  for (const operation of operations) {
    const inputs = requests[operation].map((request) => ({
      ...request,
      owner: createNoopSigner(request.wallet),
    }));
    const { load, build } = builders[operation];
    const cached = await load(rpc, inputs[0]);
    tasks[operation] = taskOf(inputs, async (request) =>
      build({ ...request, ...(await load(rpc, request)), rpc, slot }),
    );
    tasks[`${operation}Cached`] = taskOf(inputs, (request) =>
      build({ ...request, ...cached, rpc, slot }),
    );
  }
  return tasks;
}

function taskOf(inputs, build) {
  const sample = async () => {
    const built = [];
    for (const request of inputs) built.push(toOurForm(await build(request)));
    return built;
  };
  return { inputs: inputs.length, isAsync: true, run: (input) => build(inputs[input]), sample };
}

const obligation = new VanillaObligation(PROGRAM_ID);

const builders = {
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
  /** Gets the loan that earned the rewards; without it the SDK lists all stakes of the farm. */
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

function lending(buildAction) {
  return {
    load: loadMarket,
    async build({ owner, reserve, amount, slot, kaminoMarket }) {
      const { decimals } = kaminoMarket.getReserveByAddress(reserve).stats;
      const action = await buildAction({
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

const toOurForm = (instructions) =>
  instructions.map(({ programAddress, accounts = [], data }) => ({
    programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, role })),
    data: Uint8Array.from(data),
  }));
