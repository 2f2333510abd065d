import type { Address, ChainTime, Logger, Slot } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { obligation as obligationLayout, type Reserve } from '@tidegate/core/protocol/klend/layout';
import { ClusterState } from '@tidegate/core/state';
import type { LocalCluster } from '../cluster/cluster.ts';
import { CodedError } from '../errors/index.ts';
import { transactionErrorMessage } from '../rpc/encoding/error-message.ts';
import { liquidateIfUnhealthy } from './actions/liquidation.ts';
import { refreshedReserve, refreshLoan } from './actions/loan-state.ts';
import { type Agents, createAgents } from './setup/agents.ts';
import { Simulator } from './setup/simulator.ts';

/** Slots between two checks of all loans: ten seconds. */
const CHECK_INTERVAL = 25n;
/** Slots until a liquidation that the program rejected is tried again: ten minutes. */
const RETRY_INTERVAL = 1_500n;

export type LiquidationBotOptions = {
  readonly cluster: LocalCluster;
  readonly log: Logger;
  /** Checks in every slot, for a cluster whose slots close on demand. */
  readonly isEverySlot?: boolean;
};

/**
 * Liquidates loans that are unhealthy at the current prices, as bots on a real cluster do: a part of the debt at a time,
 * until the loan is healthy or the program rejects it. The market maker pays.
 */
export class LiquidationBot {
  readonly #options: LiquidationBotOptions;
  readonly #agents: Agents;
  /** Loans by the slot of their last rejected liquidation. */
  readonly #rejected = new Map<Address, Slot>();

  constructor(options: LiquidationBotOptions) {
    this.#options = options;
    this.#agents = createAgents(options.cluster.seed);
  }

  /** Acts in the open slot, which closes at the given time, if a check is due. */
  run({ slot }: ChainTime): void {
    const { isEverySlot = false } = this.#options;
    if (!isEverySlot && slot % CHECK_INTERVAL !== 0n) return;
    const { cluster, log } = this.#options;
    const state = new ClusterState({ log, rulesAt: cluster.rulesAt });
    const simulator = new Simulator({ cluster, state, metadata: { markets: [] }, isLive: true });
    const reserves = new Map<Address, Reserve | undefined>();
    for (const address of this.#indebtedLoans()) {
      if (!this.#isRejected(address, slot)) this.#check(simulator, address, reserves);
    }
  }

  /** A slot after this one is of a future that was undone. */
  #isRejected(address: Address, slot: Slot): boolean {
    const rejectedAt = this.#rejected.get(address);
    if (rejectedAt === undefined) return false;
    return rejectedAt <= slot && slot < rejectedAt + RETRY_INTERVAL;
  }

  /** `reserves`: refreshed ones, until a liquidation changes some. */
  #check(
    simulator: Simulator,
    address: Address,
    reserves: Map<Address, Reserve | undefined>,
  ): void {
    const { log } = this.#options;
    const reserveOf = (reserve: Address): Reserve | undefined => {
      if (!reserves.has(reserve)) reserves.set(reserve, refreshedReserve(simulator, reserve));
      return reserves.get(reserve);
    };
    try {
      const loan = refreshLoan(simulator, address, { reserveOf });
      const liquidation = { address, liquidator: this.#agents.marketMaker };
      const record = loan && liquidateIfUnhealthy(simulator, loan, liquidation);
      if (record === undefined) return;
      reserves.clear();
      const { error, signature, time } = record;
      if (error !== undefined) this.#rejected.set(address, time.slot);
      const reason = error === undefined ? undefined : transactionErrorMessage(error);
      log.debug({ address, signature, reason }, 'liquidation');
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      log.debug({ address, reason: error.message }, 'loan cannot be checked for liquidation');
    }
  }

  #indebtedLoans(): readonly Address[] {
    const { bank } = this.#options.cluster;
    return [...bank.view(bank.slot).accountsOf(KLEND_PROGRAM)]
      .filter(
        ({ account }) =>
          obligationLayout.matches(account) && obligationLayout.view(account).hasDebt !== 0,
      )
      .map(({ address }) => address);
  }
}
