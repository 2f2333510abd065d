import { type Slot, toSlot } from '#core/base/time.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { LedgerIndex } from '../chaos/ledger-index.ts';
import { type RunningServer, startServerAsIs } from '../processes/run-tidegate.ts';
import { type OnEnd, onTestEnd } from '../processes/test-scope.ts';
import { MainnetWeek, type WeekReport } from './mainnet-week.ts';
import { readMetric, ServedSlot } from './served-slot.ts';
import { SimulatedMainnet } from './simulated-mainnet.ts';
import { sumTraffic, type TrafficFigures, trafficBetween } from './traffic.ts';

/** One percent of mainnet. */
export const MINIATURE = { loans: 3_000, farmUsers: 4_000 };
const RATES = { updates: 20, transactions: 0.4 };
const NO_RATES = { updates: 0, transactions: 0 };
const FAULTS = { duplicatedPermille: 30, latePermille: 30 };
const SLOTS_PER_MINUTE = 150;
/** More than a slot needs to be final. */
const FINAL_SLOTS = 40;
const MINUTE_MS = 60_000;
/** What passes beside the requested minutes. */
const MAX_EXTRA_MINUTES = 30;

export type MiniatureOptions = { readonly seed: string; readonly minutes: number };

/** A hundredth of mainnet in this process, and servers that follow it. */
export class MiniatureRun {
  readonly mainnet: SimulatedMainnet;
  readonly week: MainnetWeek;
  readonly ledger: LedgerIndex;
  readonly #minutes: number;
  readonly #onEnd: OnEnd;
  #served: ServedSlot | undefined;

  private constructor(mainnet: SimulatedMainnet, { seed, minutes }: MiniatureOptions) {
    this.mainnet = mainnet;
    this.#minutes = minutes;
    this.#onEnd = onTestEnd;
    this.ledger = new LedgerIndex(mainnet);
    this.week = new MainnetWeek({ mainnet, servedSlot: () => this.#served?.slot, seed });
  }

  static async start(options: MiniatureOptions): Promise<MiniatureRun> {
    const mainnet = await SimulatedMainnet.start({
      seed: `miniature ${options.seed}`,
      // so that the cluster does not reach the future
      until: chainTimeAt(Date.now() - (options.minutes + MAX_EXTRA_MINUTES) * MINUTE_MS),
      ...MINIATURE,
      writesPerChange: 2,
      hasPages: false,
    });
    onTestEnd(() => {
      void mainnet.stop();
    });
    return new MiniatureRun(mainnet, options);
  }

  /** Starts a server, and lets slots pass until it is ready. */
  async startServer(): Promise<RunningServer> {
    let running: RunningServer | undefined;
    const { rpcUrl, wsUrl } = this.mainnet;
    const started = startServerAsIs(
      { RPC_URL: rpcUrl, WS_URL: wsUrl, CLUSTER: 'localnet', RATE_LIMIT: 'off' },
      this.#onEnd,
    ).then((server) => {
      running = server;
      return server;
    });
    await this.week.passUntil(async () => {
      if (running === undefined) return false;
      return (await fetch(`${running.url}/ready`)).status === 200;
    });
    return started;
  }

  /**
   * Lets the time pass with faults while the server follows, and then until all its events are recorded. Returns what that
   * cost, as text.
   */
  async follow({ url }: RunningServer): Promise<string> {
    const { mainnet, week } = this;
    const served = new ServedSlot(url);
    this.#onEnd(() => served.stop());
    this.#served = served;
    const before = await this.#readCosts(url);
    mainnet.setRates(RATES);
    mainnet.setNotificationFaults(FAULTS);
    await week.passWithFaults(this.#minutes * SLOTS_PER_MINUTE);
    mainnet.setRates(NO_RATES);
    const { slot } = mainnet;
    await week.pass(FINAL_SLOTS);
    await week.passUntil(() => hasEventsUpTo(url, slot));
    served.stop();
    this.#served = undefined;
    return describeCosts(before, await this.#readCosts(url), week.report);
  }

  async #readCosts(url: string): Promise<Costs> {
    const { mainnet, ledger } = this;
    return {
      traffic: mainnet.traffic.figures(),
      events: ledger.between(toSlot(0n), mainnet.slot).length,
      cpuSeconds: await readMetric(url, 'process_cpu_seconds_total'),
    };
  }
}

/** Since the start of the server. */
type Costs = {
  readonly traffic: TrafficFigures;
  /** Transactions with events. */
  readonly events: number;
  readonly cpuSeconds: number;
};

const LEDGER_METHODS = /^get(SignaturesForAddress|Transaction|Blocks?)$/;

function describeCosts(before: Costs, after: Costs, week: WeekReport): string {
  const traffic = trafficBetween(before.traffic, after.traffic);
  const ledgerTraffic = Object.fromEntries(
    Object.entries(traffic).filter(([method]) => LEDGER_METHODS.test(method)),
  );
  const [all, ofLedger] = [traffic, ledgerTraffic].map((each) => sumTraffic(each, 'calls'));
  const updates = sumTraffic(traffic, 'notifications');
  const events = after.events - before.events;
  const cpuMs = (after.cpuSeconds - before.cpuSeconds) * 1_000;
  const each = (value: number, count: number) => (value / Math.max(1, count)).toFixed(2);
  const kilobytes = (bytes = 0) => (bytes / 1_000).toFixed(0);
  const { slots, drops, reorgs, deadSlots } = week;
  return [
    `${slots} slots, ${drops} socket drops, ${reorgs} reorgs, ${deadSlots} dead slots`,
    `${updates.calls} notifications: ${each(updates.bytes, updates.calls)} bytes each; ${each(cpuMs, updates.calls)} ms CPU each, with everything else that the server did`,
    `${events} transactions with events: ${each(ofLedger?.calls ?? 0, events)} calls and ${each((ofLedger?.bytes ?? 0) / 1_000, events)} KB each`,
    `all calls: ${all?.calls} with ${kilobytes(all?.bytes)} KB and ${all?.accounts} generated accounts`,
  ].join('\n');
}

const hasEventsUpTo = async (url: string, slot: Slot): Promise<boolean> =>
  (await readMetric(url, 'tidegate_history_event_slot')) >= Number(slot);
